-- Which slot of that row counts the key, from 0: slots are 2^shift keys wide.
create or replace function slot_of(sort_key bigint, shift integer, wider integer) returns integer
language sql immutable as $$
  select ((sort_key + 4503599627370496) >> shift & ((1 << (wider - shift)) - 1))::integer
$$;
