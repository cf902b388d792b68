-- Notes who invited a member that joined without an invite, once, within a day of the join, and
-- credits it as the join would have. input: the request as meet_requests takes it. sources: that of
-- the member from now on, null to keep the one of the join. gives_credit: as in join_members.
-- Returns 'given', or why nothing changed: 'gone' (no such member), 'known' (there was an inviter),
-- 'late', 'unknown' (no member has the code), 'own' (the code), 'friend' (see has_brought).
create or replace function give_inviter(
  giving_id uuid, input json, sources json, gives_credit boolean)
returns text language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  giving member;
  met met_request;
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
  met := (meet_requests(input, clock_timestamp()))[1];
  if met.referrer_id is null then
    return 'unknown';
  elsif met.referrer_id = giving_id then
    return 'own';
  elsif has_brought(giving_id, met.referrer_id) then
    return 'friend';
  end if;

  update member set referrer_id = met.referrer_id, is_invited = true, credit = 'pending',
    source_id = case when sources is null then source_id else (learn_sources(sources, true))[1] end
  where id = giving_id;
  update standing set sort_key = sort_key + sort_key_of(0, 0, true, 0) where member_id = giving_id;
  perform set_credits(array[giving_id], first_credit(
    met.referrer_id, gives_credit or giving.confirmed_at is not null));
  perform count_inviter(giving);
  return 'given';
end $$;
