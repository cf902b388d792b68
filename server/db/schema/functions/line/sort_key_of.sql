-- The formula of line-rules.ts.
create or replace function sort_key_of(
  sequence bigint, credits bigint, is_invited boolean, point_adjustment integer)
returns bigint language sql immutable as $$
  select sequence - (2 * credits + is_invited::integer + point_adjustment) * 4294967296
$$;
