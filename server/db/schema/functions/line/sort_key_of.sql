-- The formula of line-rules.ts.
create or replace function sort_key_of(
  formula line_state, sequence bigint, credits bigint, is_invited boolean, point_adjustment integer)
returns bigint language sql immutable as $$
  select sequence * (formula).per_join
    - case when (formula).rule = 'fade' then faded_key(formula, credits)
      else credits * (formula).per_credit end
    - is_invited::integer * (formula).per_invite - point_adjustment * ((formula).per_credit / 2)
$$;
