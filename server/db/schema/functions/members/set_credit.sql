-- Changes the state of the credit that a member's referrer gets for them, and moves the referrer
-- where that makes it count or no longer count. Nothing changes for a member without a referrer.
create or replace function set_credit(friend_id uuid, state text) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  friend member;
  recorded text[];
begin
  select recorded_events into recorded from line_state for update;
  select * into friend from member where id = friend_id;
  if friend.referrer_id is null or friend.credit = state then
    return;
  end if;
  update member set credit = state where id = friend_id;
  if (friend.credit = 'given') <> (state = 'given') then
    perform credit_referrers(
      array[friend.referrer_id], array[case when state = 'given' then 1 else -1 end]);
    if state = 'given' and 'credited' = any(recorded) then
      perform record_event(
        'credited', array[friend_id], array[friend.referrer_id],
        array(select referral_count from standing where member_id = friend.referrer_id));
    end if;
  end if;
end $$;
