-- The row of count_node that counts the slots of 2^shift keys around the key, up to 2^wider keys.
-- Numbers are unique over all levels, so that one look-up reads the rows of all. Keys are counted
-- from the smallest one.
create or replace function node_of(sort_key bigint, shift integer, wider integer) returns bigint
language sql immutable as $$
  select shift::bigint << 44 | ((sort_key + 4503599627370496) >> wider)
$$;
