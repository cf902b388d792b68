-- The members of some places of the line behind a sort key, each with their settled credits and the
-- sort key that these alone give.
create or replace function settled_front(behind bigint, places bigint)
returns table (member_id uuid, line_key bigint, credits integer, sort_key bigint)
language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
  select settled.member_id, ahead.sort_key, settled.credits, sort_key_of(
    member.sequence, settled.credits, member.is_invited, member.point_adjustment)
  from settled_credits(array(
    select member_id from standing where sort_key > behind order by sort_key limit places)) settled
  cross join lateral (select * from standing where member_id = settled.member_id offset 0) ahead
  cross join lateral (select * from member where id = settled.member_id offset 0) member
$$;
