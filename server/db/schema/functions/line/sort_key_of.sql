-- The formula of line-rules.ts: linear, so a credit moves a key by per_credit whatever it was.
create or replace function sort_key_of(
  formula line_state, sequence bigint, credits bigint, is_invited boolean)
returns bigint language sql immutable as $$
  select sequence * (formula).per_join - credits * (formula).per_credit
    - is_invited::integer * (formula).per_invite
$$;
