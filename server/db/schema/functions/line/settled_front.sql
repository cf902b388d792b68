-- The members of some places of the line behind a sort key. Those who have confirmed come with
-- their settled credits and the sort key that these alone give; the others with nulls.
create or replace function settled_front(behind bigint, places bigint)
returns table (member_id uuid, line_key bigint, credits integer, sort_key bigint)
language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
  with ahead as materialized (
    select standing.member_id, standing.sort_key, own.*
    from (
      select * from standing where standing.sort_key > behind
      order by standing.sort_key limit places
    ) standing
    cross join lateral (
      select sequence, is_invited, point_adjustment, confirmed_at is not null as is_confirmed
      from member where id = standing.member_id offset 0
    ) own
  )
  select ahead.member_id, ahead.sort_key, settled.credits, sort_key_of(
    sequence, settled.credits, is_invited, point_adjustment)
  from ahead
  left join lateral settled_credits(ahead.member_id) settled on is_confirmed
$$;
