-- A row of count_node counts ranges of 2^shift keys, 2^wider together. The narrowest have up to 64
-- members, who are counted one by one; the widest row has every key. Functions that look positions
-- up have the same numbers.
create or replace function count_levels() returns table (shift integer, wider integer)
language sql immutable as $$
  values (6, 13), (13, 21), (21, 29), (29, 37), (37, 45), (45, 53)
$$;
