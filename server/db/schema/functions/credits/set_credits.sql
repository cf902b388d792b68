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
  more_confirmed integer[];
  more_unconfirmed integer[];
begin
  select recorded_events into recorded from line_state for update;
  changed_ids := array(
    select id from member
    where id = any(friend_ids) and referrer_id is not null and credit <> state
    order by sequence);
  select array_agg(referrer_id), array_agg(sign * confirmed), array_agg(sign * unconfirmed)
  into referrer_ids, more_confirmed, more_unconfirmed
  from (
    select referrer_id, count(confirmed_at)::integer as confirmed,
      count(*)::integer - count(confirmed_at)::integer as unconfirmed,
      case when state = 'given' then 1 else -1 end as sign
    from member
    where id = any(changed_ids) and 'given' in (credit, state)
    group by referrer_id
  ) changed;
  update member set credit = state where id = any(changed_ids);
  if referrer_ids is null then
    return;
  end if;
  perform credit_referrers(referrer_ids, more_confirmed, more_unconfirmed);
  if state = 'given' and 'credited' = any(recorded) then
    perform record_event(
      'credited', array_agg(id order by sequence), array_agg(referrer_id order by sequence),
      array_agg(credits order by sequence))
    from (
      select one.*, count_with_friend(
        referrer_id, confirmed_at is not null,
        count(*) filter (where confirmed_at is not null) over later,
        count(*) filter (where confirmed_at is null) over later) as credits
      from member one where id = any(changed_ids)
      window later as (
        partition by referrer_id order by sequence
        rows between 1 following and unbounded following)
    ) counted
    where credits is not null
    having count(*) > 0;
  end if;
end $$;
