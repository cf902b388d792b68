-- Notes up to eight other inviters of a known address that came by one code and has not confirmed.
-- The credit of the first waits until the owner of the address says who invited them, unless an
-- operator gave it. Call it after the requests have joined.
create or replace function note_other_inviters(requests met_request[]) returns void
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  claimed_ids uuid[];
begin
  with entered as materialized (
    select friend.id, array_agg(distinct request.referrer_id) as inviters
    from unnest(requests) request
    join member friend on friend.email_identity = request.email_identity
    where request.referrer_id is not null and request.kept_id is null
      and friend.confirmed_at is null
      and request.referrer_id not in (friend.id, friend.referrer_id)
      and request.referrer_id <> all(coalesce(friend.other_inviters, '{}'))
      and coalesce(cardinality(friend.other_inviters), 0) < 8
    group by friend.id
  ), noted as (
    update member friend set other_inviters = (friend.other_inviters || inviters)[:8]
    from entered where friend.id = entered.id
    returning friend.id
  )
  select array_agg(id) into claimed_ids from noted;
  if claimed_ids is not null then
    perform set_credits(
      array(
        select id from member where id = any(claimed_ids) and credit = 'given'
          and not exists (select from credit_case where member_id = id)),
      'pending');
  end if;
end $$;
