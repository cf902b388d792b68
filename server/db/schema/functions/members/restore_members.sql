-- Restores the members of a removal as they were: ids, codes, joining order, credits, referrers and
-- friends. Members whose address or code is taken by now are left out. If both a referrer and a
-- friend were removed, restoring the second links them. An Idempotency-Key that was used again
-- since is not restored. Returns how many members were restored and left out.
create or replace function restore_members(removal_id uuid) returns jsonb language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  line line_state;
  returning_ids uuid[];
  linked_ids uuid[];
  linked_credits text[];
  side_table text;
  left_out integer;
begin
  select * into strict line from line_state for update;
  returning_ids := array(
    select kept.member_id from removed_member kept
    where kept.removal = removal_id
      and not exists (select from member where email_identity = kept.email_identity offset 0)
      and not exists (
        select from member where referral_code = kept.member->>'referral_code' offset 0)
  );

  -- The referrer is removed, too: restoring them later links both. Here and below, what is linked
  -- is collected first: the planner, misled about removed_member, collected it once for each row.
  with away as materialized (
    select (kept.member->>'referrer_id')::uuid as referrer_id, jsonb_agg(
      jsonb_build_object('id', kept.member_id, 'credit', kept.member->>'credit')) as friends
    from removed_member kept
    where kept.member_id = any(returning_ids) and kept.member->>'referrer_id' is not null
    group by 1
  ), linked as materialized (
    select away.* from away
    where referrer_id <> all(returning_ids)
      and exists (select from removed_member where member_id = away.referrer_id offset 0)
  )
  update removed_member referrer
  set friends = referrer.friends || linked.friends
  from linked where referrer.member_id = linked.referrer_id;

  insert into standing (member_id, sort_key)
  select coming.id,
    sort_key_of(coming.sequence, 0, coming.is_invited, coming.point_adjustment)
  from removed_member kept
  cross join lateral jsonb_populate_record(null::member, kept.member) coming
  where kept.member_id = any(returning_ids);
  insert into member
  select coming.*
  from removed_member kept
  cross join lateral jsonb_populate_record(null::member, kept.member
    || case when kept.member->>'referrer_id' is null or exists (
      select from standing where member_id = (kept.member->>'referrer_id')::uuid offset 0
    ) then '{}' else '{"referrer_id": null, "credit": "none"}' end::jsonb
    || case when exists (
      select from member where key_hash = (kept.member->>'key_hash')::uuid offset 0
    ) then '{"key_hash": null}' else '{}' end::jsonb) coming
  where kept.member_id = any(returning_ids)
  order by coming.sequence;

  -- Friends who stayed, or were restored before. One who confirmed meanwhile is credited.
  with stayed as (
    update member friend set referrer_id = kept.member_id,
      credit = case
        when known.credit = 'pending' and friend.confirmed_at is not null then 'given'
        else known.credit end
    from removed_member kept
    cross join lateral jsonb_to_recordset(kept.friends) as known (id uuid, credit text)
    where kept.member_id = any(returning_ids) and friend.id = known.id
      and friend.referrer_id is null
    returning friend.id
  )
  select array_agg(id) into linked_ids from stayed;
  -- Friends who are still removed are linked when they are restored.
  with linked as materialized (
    select kept.member_id as referrer_id, known.id, known.credit
    from removed_member kept
    cross join lateral jsonb_to_recordset(kept.friends) as known (id uuid, credit text)
    where kept.member_id = any(returning_ids) and known.id <> all(returning_ids)
      and exists (select from removed_member where member_id = known.id offset 0)
  )
  update removed_member friend
  set member = friend.member || jsonb_build_object(
    'referrer_id', linked.referrer_id, 'credit', linked.credit)
  from linked where friend.member_id = linked.id;

  perform credit_referrers(
    array_agg(referrer_id), array_agg(confirmed), array_agg(unconfirmed))
  from (
    select referrer_id, count(confirmed_at)::integer as confirmed,
      (count(*) - count(confirmed_at))::integer as unconfirmed
    from member
    where id = any(returning_ids || coalesce(linked_ids, '{}')) and credit = 'given'
    group by referrer_id
  ) credited
  having count(*) > 0;

  foreach side_table in array side_tables() loop
    execute format(
      'insert into %I select side.* from removed_member kept
       cross join lateral jsonb_populate_recordset(null::%I, kept.side_rows->%L) side
       where kept.member_id = any($1) on conflict do nothing',
      side_table, side_table, side_table) using returning_ids;
  end loop;
  -- Whatever was on its way was counted as departed, and may have arrived.
  update campaign_mail set outcome = 'obsolete'
  where member_id = any(returning_ids) and outcome is null;
  with linked as materialized (
    select member_id, address_hash from removed_member
    where member_id = any(returning_ids) and address_hash is not null
  )
  update mail_suppression set member_id = linked.member_id
  from linked where mail_suppression.address_hash = linked.address_hash;

  if 'returned' = any(line.recorded_events) then
    perform record_event('returned', array_agg(id order by sequence), null, null)
    from member where id = any(returning_ids);
  end if;
  delete from removed_member where removal = removal_id;
  get diagnostics left_out = row_count;
  return jsonb_build_object(
    'restored', cardinality(returning_ids), 'left_out', left_out - cardinality(returning_ids));
end $$;
