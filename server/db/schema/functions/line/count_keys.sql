-- Counts keys that were added and removed. The caller holds the line lock. Empty nodes are deleted:
-- a member who climbs far leaves a trail of them.
create or replace function count_keys(added bigint[], removed bigint[])
returns void language plpgsql as $$
begin
  merge into count_node using (
    select shift, wider, node, sum(members) as members,
      array_agg(slot) as slots, array_agg(members) as changes
    from (
      select
        level.shift, level.wider, node_of(changed.sort_key, level.shift, level.wider) as node,
        slot_of(changed.sort_key, level.shift, 1 << level.wider - level.shift) as slot,
        sum(changed.members)::integer as members
      from count_levels() level, (
        select sort_key, 1 as members from unnest(added) as sort_key
        union all select sort_key, -1 from unnest(removed) as sort_key
      ) changed
      group by 1, 2, 3, 4
      having sum(changed.members) <> 0
    ) slot_change
    group by shift, wider, node
  ) change on count_node.node = change.node
  when matched and count_node.sums[cardinality(count_node.sums)] + change.members = 0 then delete
  when matched then update set sums = add_to_slots(count_node.sums, change.slots, change.changes)
  when not matched then insert (node, shift, sums)
    values (change.node, change.shift, add_to_slots(
      array_fill(0, array[1 << (change.wider - change.shift)]), change.slots, change.changes));
end $$;
