-- Notes who invited a member that joined without an invite, once, within a day of the join, and
-- credits it as the join would have. sources: that of the member from now on, null to keep the one
-- of the join. gives_credit: as in join_members.
-- Returns 'given', or why nothing changed: 'gone' (no such member), 'known' (there was an inviter),
-- 'late', 'unknown' (no member has the code), 'own' (the code), 'friend' (see has_brought).
create or replace function give_inviter(
  giving_id uuid, inviting_code text, sources json, gives_credit boolean)
returns text language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  giving member;
  inviting_id uuid;
begin
  perform from line_state for update;
  select * into giving from member where id = giving_id;
  if not found then
    return 'gone';
  elsif giving.is_invited then
    return 'known';
  elsif inviter_until(giving.joined_at) <= clock_timestamp() then
    return 'late';
  end if;
  select id into inviting_id from member where referral_code = inviting_code;
  if not found then
    return 'unknown';
  elsif inviting_id = giving_id then
    return 'own';
  elsif has_brought(giving_id, inviting_id) then
    return 'friend';
  end if;

  update member set referrer_id = inviting_id, is_invited = true, credit = 'pending',
    source_id = case when sources is null then source_id else (learn_sources(sources, true))[1] end
  where id = giving_id;
  update standing set sort_key = sort_key + sort_key_of(0, 0, true, 0) where member_id = giving_id;
  if gives_credit or giving.confirmed_at is not null then
    perform set_credits(array[giving_id], 'given');
  end if;
  perform count_inviter(giving);
  return 'given';
end $$;
