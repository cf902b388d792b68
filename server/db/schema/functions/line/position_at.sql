-- The position that a key has or would have: 1, plus the members ahead in the narrowest bucket,
-- plus on every level the slots before the key's own. "shifts" are those of the line. In SQL, so
-- that it is planned as part of its caller.
create or replace function position_at(key bigint, shifts integer[])
returns table ("position" bigint) language sql stable as $$
  select 1
    + (select count(*) from standing ahead
       where ahead.sort_key >= (key >> shifts[1]) << shifts[1] and ahead.sort_key < key)
    + (select coalesce(sum(members_before(own.sums, own.slot)), 0)
       from (
         select sums, slot_of(key, shift, cardinality(sums)) as slot from count_node
         where node = any(array[
           node_of(key, shifts[1], shifts[2]), node_of(key, shifts[2], shifts[3]),
           node_of(key, shifts[3], shifts[4]), node_of(key, shifts[4], shifts[5]),
           node_of(key, shifts[5], shifts[6]), node_of(key, shifts[6], shifts[7])])
         offset 0 -- otherwise each slot is worked out many times
       ) own)
$$;
