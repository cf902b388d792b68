-- The position that a key has or would have: 1, plus the members ahead in the narrowest bucket,
-- plus on every level the slots before the key's own. In SQL, so that it is planned as part of its
-- caller.
create or replace function position_of(key bigint)
returns table ("position" bigint) language sql stable as $$
  select 1
    + (select count(*) from standing ahead
       where ahead.sort_key >= (key >> 6) << 6 and ahead.sort_key < key)
    + (select coalesce(sum(members_before(own.sums, own.slot)), 0)
       from (
         select sums, slot_of(key, shift, cardinality(sums)) as slot from count_node
         where node = any(array[
           node_of(key, 6, 13), node_of(key, 13, 21), node_of(key, 21, 29),
           node_of(key, 29, 37), node_of(key, 37, 45), node_of(key, 45, 53)])
         offset 0 -- otherwise each slot is worked out many times
       ) own)
$$;
