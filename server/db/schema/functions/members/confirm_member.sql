-- The member proved that the address is theirs: from now on they count for their referrer whatever
-- the number of friends, unless an operator decided otherwise. The possible inviter with
-- inviting_code becomes the referrer; with any other text, nobody. Idempotent. Returns 'confirmed',
-- 'asked' (an inviting_code is needed), or 'unknown' (there is no such member).
create or replace function confirm_member(confirming_id uuid, inviting_code text default null)
returns text language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  recorded text[];
  confirming member;
  referrer standing;
  inviting_id uuid;
begin
  select recorded_events into recorded from line_state for update;
  select * into confirming from member where id = confirming_id;
  if not found then
    return 'unknown';
  elsif confirming.confirmed_at is not null then
    return 'confirmed';
  end if;
  select id into inviting_id from member
  where referral_code = inviting_code and id in (select possible_inviters(confirming_id));
  if inviting_code is null and exists (select from possible_inviters(confirming_id)) then
    return 'asked';
  end if;
  if confirming.other_inviters is not null then
    perform set_credits(array(select confirming_id where confirming.credit = 'given'), 'pending');
    select * into confirming from member where id = confirming_id;
  end if;
  update member set confirmed_at = clock_timestamp(), other_inviters = null
  where id = confirming_id;
  if confirming.other_inviters is not null then
    update member set referrer_id = inviting_id,
      credit = case
        when inviting_id is null then 'none'
        when confirming.credit = 'none' then 'pending'
        else confirming.credit end
    where id = confirming_id returning * into confirming;
  end if;
  if confirming.credit = 'given' then
    select * into referrer from standing where member_id = confirming.referrer_id;
    perform credit_referrers(array[confirming.referrer_id], array[1], array[-1]);
    if counting_friends(1, referrer.unconfirmed - 1) > counting_friends(0, referrer.unconfirmed)
      and 'credited' = any(recorded)
    then
      perform record_event(
        'credited', array[confirming_id], array[confirming.referrer_id],
        array[referrer.referral_count + 1]);
    end if;
  elsif confirming.credit = 'pending' or confirming.credit = 'refused' and exists (
    select from credit_case where member_id = confirming_id and decided_by = 'bounce'
  ) then
    perform set_credits(array[confirming_id], 'given');
  end if;
  return 'confirmed';
end $$;
