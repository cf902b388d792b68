-- What so many credits move a key by under rule "fade": whole positions, each worth per_join - 1.
-- Hundredths of a friend are added up; each line is the least where it applies.
create or replace function faded_key(formula line_state, credits bigint) returns bigint
language sql immutable as $$
  select least(
      100 * credits, 250 + 50 * credits, 500 + 25 * credits, 875 + 10 * credits, 1775 + credits)
    * ((formula).per_credit / ((formula).per_join - 1)) / 100 * ((formula).per_join - 1)
$$;
