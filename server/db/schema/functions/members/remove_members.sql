-- Takes members out of the line, their credits and their mails with them. Friends they brought keep
-- their positions and stay invited, without a referrer. With "removal_id", keeps what
-- restore_members needs; without it, keeps nothing, and deletes what earlier removals kept. Returns
-- how many members there were, in line and kept, how many friends stayed, and for each referrer who
-- stayed the referral count and how much of it is lost.
create or replace function remove_members(
  leaving_ids uuid[], removal_id uuid, keep_until timestamptz)
returns jsonb language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  removed_count integer;
  kept_count integer := 0;
  friend_count integer;
  referrer_ids uuid[];
  lost_confirmed integer[];
  lost_unconfirmed integer[];
  referrers jsonb;
begin
  -- Before the line lock: pg-boss's clean-up, for one, may hold these rows for long.
  perform delete_mails(leaving_ids);
  perform from line_state for update;
  if removal_id is null then
    perform forget_in_texts(array(
      select to_jsonb(leaving) from member leaving where id = any(leaving_ids)
      union all
      select kept.member from removed_member kept where member_id = any(leaving_ids)));
    delete from undo_record where member_id = any(leaving_ids);
    delete from removed_member where member_id = any(leaving_ids);
    get diagnostics kept_count = row_count;
    -- The other decisions about many credits can still be undone.
    update undo_record set data = jsonb_set(data, '{decided}', (
      select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(data->'decided') one
      where (one->>'friend_id')::uuid <> all(leaving_ids)))
    where data ? 'decided' and exists (
      select from jsonb_array_elements(data->'decided') one
      where (one->>'friend_id')::uuid = any(leaving_ids));
  else
    perform keep_removed(leaving_ids, removal_id, keep_until);
  end if;

  select array_agg(referrer_id), array_agg(-confirmed), array_agg(-lost.unconfirmed),
    jsonb_agg(jsonb_build_object(
      'referrals', referral_count, 'lost', referral_count - counting_friends(
        referral_count - counting_friends(0, known.unconfirmed) - confirmed,
        known.unconfirmed - lost.unconfirmed)))
  into referrer_ids, lost_confirmed, lost_unconfirmed, referrers
  from (
    select referrer_id, count(confirmed_at)::integer as confirmed,
      (count(*) - count(confirmed_at))::integer as unconfirmed
    from member
    where id = any(leaving_ids) and credit = 'given' and referrer_id <> all(leaving_ids)
    group by referrer_id
  ) lost
  cross join lateral (
    select * from standing where member_id = lost.referrer_id offset 0
  ) known;
  if referrer_ids is not null then
    perform credit_referrers(referrer_ids, lost_confirmed, lost_unconfirmed);
  end if;

  update member set referrer_id = null, credit = 'none'
  where referrer_id = any(leaving_ids) and id <> all(leaving_ids);
  get diagnostics friend_count = row_count;
  delete from member where id = any(leaving_ids);
  get diagnostics removed_count = row_count;
  -- Again, for mail queued meanwhile. From here on, any writer that queues mail for members holds
  -- the line lock or finds the member gone.
  perform delete_mails(leaving_ids);
  return jsonb_build_object(
    'removed', removed_count, 'kept', kept_count, 'friends', friend_count,
    'referrers', coalesce(referrers, '[]'));
end $$;
