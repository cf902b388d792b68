-- Counts these members for those who brought them. A friend counts for the quarter in which the
-- referrer joined.
create or replace function count_friends(first bigint, last bigint) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
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
end $$;
