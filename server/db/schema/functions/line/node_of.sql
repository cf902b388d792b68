-- The row of count_node whose 2^wider keys include the key. Keys are counted from the smallest one.
create or replace function node_of(sort_key bigint, wider integer)
returns bigint language sql immutable as $$
  select (sort_key + 4503599627370496) >> wider
$$;
