-- Counts the next members, in the order of joining: at most max_members. Returns how many: 0 when
-- all are counted, or another server is counting. A friend counts for the quarter in which the
-- referrer joined.
create or replace function count_joins(max_members integer) returns integer language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  first bigint;
  last bigint;
  next_first bigint;
  counted integer;
begin
  select next_sequence into first from join_cursor for update skip locked;
  if first is null then
    return 0;
  end if;
  -- In one statement: whoever is not in it joins later, or has left.
  select max(sequence), count(*),
    case when count(*) < max_members then (select next_sequence from line_state)
      else max(sequence) + 1 end
  into last, counted, next_first
  from (
    select sequence from member where sequence >= first order by sequence limit max_members
  ) next;
  if next_first > first then
    update join_cursor set next_sequence = next_first;
  end if;
  if counted = 0 then
    return 0;
  end if;

  insert into join_count as kept (quarter, source_id, joins, invited)
  select quarter_of(joined_at), coalesce(source_id, 0), count(*),
    count(*) filter (where is_invited)
  from member where sequence between first and last
  group by 1, 2
  on conflict (quarter, source_id) do update set
    joins = kept.joins + excluded.joins, invited = kept.invited + excluded.invited;

  with brought as materialized (
    select referrer_id, count(*) as friends, min(joined_at) as first_at
    from member where sequence between first and last and referrer_id is not null
    group by referrer_id
  ), shared as (
    insert into opened_invite (member_id, has_friend)
    select referrer_id, true from brought
    on conflict do nothing
    returning member_id
  ), with_friend as (
    update opened_invite set has_friend = true
    where member_id = any(array(select referrer_id from brought)) and not has_friend
    returning member_id
  ), referrer as materialized (
    select quarter_of(joined_at) as quarter, friends,
      shared.member_id is not null as is_shared,
      shared.member_id is not null or with_friend.member_id is not null as is_first,
      wait_minutes_of(joined_at, first_at) as minutes
    from brought
    cross join lateral (
      select joined_at from member where id = brought.referrer_id offset 0
    ) member
    left join shared on shared.member_id = brought.referrer_id
    left join with_friend on with_friend.member_id = brought.referrer_id
  ), waits as (
    insert into friend_wait as kept (minutes, members)
    select minutes, count(*) from referrer where is_first group by minutes
    on conflict (minutes) do update set members = kept.members + excluded.members
  )
  insert into cohort_count as kept (quarter, shared, friends, with_friend)
  select quarter, count(*) filter (where is_shared), sum(friends), count(*) filter (where is_first)
  from referrer group by quarter
  on conflict (quarter) do update set
    shared = kept.shared + excluded.shared,
    friends = kept.friends + excluded.friends,
    with_friend = kept.with_friend + excluded.with_friend;

  return counted;
end $$;
