-- Which of the slots of 2^shift keys in that row counts the key, from 0.
create or replace function slot_of(sort_key bigint, shift integer, slots integer) returns integer
language sql immutable as $$
  select ((sort_key + 4503599627370496) >> shift & (slots - 1))::integer
$$;
