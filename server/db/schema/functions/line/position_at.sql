-- The position that a key has or would have: 1, plus the members ahead in the narrowest bucket,
-- plus on every level the slots before the key's own. "shifts" are those of the line. In SQL, so
-- that it is planned as part of its caller.
create or replace function position_at(key bigint, shifts integer[])
returns table ("position" bigint) language sql stable as $$
  select 1
    + (select count(*) from standing ahead
       where ahead.sort_key >= (key >> shifts[1]) << shifts[1] and ahead.sort_key < key)
    + (select coalesce(sum(members_before(own.sums, own.slot)), 0)::bigint
       from unnest(shifts[:cardinality(shifts) - 1], shifts[2:]) as level (shift, wider)
       cross join lateral (
         select count_node.sums, slot_of(key, level.shift, level.wider) as slot from count_node
         where count_node.shift = level.shift and count_node.node = node_of(key, level.wider)
         offset 0 -- forces a look-up by key
       ) own)
$$;
