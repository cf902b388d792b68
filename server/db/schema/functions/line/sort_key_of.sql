-- The formula of line-rules.ts: linear, so a credit moves a key by per_credit whatever it was, and
-- a point of an adjustment by half of that.
create or replace function sort_key_of(
  formula line_state, sequence bigint, credits bigint, is_invited boolean, point_adjustment integer)
returns bigint language sql immutable as $$
  select sequence * (formula).per_join - credits * (formula).per_credit
    - is_invited::integer * (formula).per_invite - point_adjustment * ((formula).per_credit / 2)
$$;
