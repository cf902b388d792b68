-- Counts the line anew from its standings. The caller holds the line lock.
create or replace function count_line() returns void language plpgsql as $$
begin
  delete from count_node;
  insert into count_node (node, shift, sums)
  select node, shift,
    add_to_slots(array_fill(0, array[1 << (wider - shift)]), array_agg(slot), array_agg(members))
  from (
    select
      level.shift, level.wider, node_of(bucket.first_key, level.shift, level.wider) as node,
      slot_of(bucket.first_key, level.shift, 1 << level.wider - level.shift) as slot,
      sum(bucket.members)::integer as members
    from count_levels() level, (
      select (sort_key >> 6) << 6 as first_key, count(*) as members from standing group by 1
    ) bucket
    group by 1, 2, 3, 4
  ) counted
  group by shift, wider, node
  order by node;
  delete from referral_tally;
  insert into referral_tally (referral_count, members)
  select referral_count, count(*) from standing where referral_count > 0 group by referral_count;
  update line_state set total = (select count(*) from standing);
end $$;
