-- The member proved that the address is theirs: from now on they count for their referrer whatever
-- the number of friends, unless an operator decided otherwise. Of several whose codes the address
-- was entered for, the one with inviting_code is the referrer; with another code or none, nobody.
-- Idempotent. False when there is no such member.
create or replace function confirm_member(confirming_id uuid, inviting_code text default null)
returns boolean language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  recorded text[];
  confirming member;
  referrer standing;
begin
  select recorded_events into recorded from line_state for update;
  select * into confirming from member where id = confirming_id;
  if not found then
    return false;
  elsif confirming.confirmed_at is not null then
    return true;
  end if;
  if confirming.other_inviters is not null then
    perform set_credits(array(select confirming_id where confirming.credit = 'given'), 'pending');
    select * into confirming from member where id = confirming_id;
  end if;
  update member set confirmed_at = clock_timestamp(), other_inviters = null
  where id = confirming_id;
  if confirming.other_inviters is not null then
    -- What an operator decided went with a referrer who left: then nobody has the friend.
    update member set referrer_id = chosen.id,
      credit = case
        when chosen.id is null then 'none'
        when confirming.credit = 'none' then 'pending'
        else confirming.credit end
    from (
      select (
        select id from member where referral_code = inviting_code
          and id = any(confirming.other_inviters || confirming.referrer_id)
          and not has_brought(confirming_id, id)
          and (confirming.credit <> 'none'
            or not exists (select from credit_case where member_id = confirming_id))
      ) as id
    ) chosen
    where member.id = confirming_id
    returning member.* into confirming;
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
  return true;
end $$;
