-- Changes the state of the credits that referrers get for these friends, and moves the referrers
-- where a credit counts now or no longer counts. Nothing changes for a friend without a referrer.
create or replace function set_credits(friend_ids uuid[], state text) returns void
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  recorded text[];
  changed_ids uuid[];
  referrer_ids uuid[];
  more_friends integer[];
begin
  select recorded_events into recorded from line_state for update;
  changed_ids := array(
    select id from member
    where id = any(friend_ids) and referrer_id is not null and credit <> state
    order by sequence);
  select array_agg(referrer_id), array_agg(friends) into referrer_ids, more_friends
  from (
    select referrer_id, count(*)::integer * case when state = 'given' then 1 else -1 end as friends
    from member
    where id = any(changed_ids) and 'given' in (credit, state)
    group by referrer_id
  ) changed;
  update member set credit = state where id = any(changed_ids);
  if referrer_ids is null then
    return;
  end if;
  perform credit_referrers(referrer_ids, more_friends);
  if state = 'given' and 'credited' = any(recorded) then
    perform record_event(
      'credited', array_agg(id order by sequence), array_agg(referrer_id order by sequence),
      array_agg(credits order by sequence))
    from (
      select id, sequence, referrer_id,
        -- The friends of one referrer were credited together: count them apart.
        (select referral_count from standing where member_id = member.referrer_id)::integer + 1
          - (count(*) over (partition by referrer_id order by sequence desc))::integer as credits
      from member where id = any(changed_ids)
    ) counted;
  end if;
end $$;
