-- Decides about credits, see credits_to_decide, and notes who did and why: 'operator' or 'sweep',
-- and what the sweep found, a list of {"friend_id", "rules", "score"}. Returns what
-- restore_credits needs.
create or replace function decide_credits(
  friend_ids uuid[], state text, decider text, needs_confirmation boolean, also_decided boolean,
  doubts jsonb)
returns table (decided decided_credit[], moment timestamptz)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  perform from line_state for update;
  moment := clock_timestamp();
  decided := credits_to_decide(
    friend_ids, state, decider, needs_confirmation, also_decided);
  perform set_credits(array_agg(friend_id), after)
  from unnest(decided) where before <> after group by after;
  insert into credit_case as known (
    member_id, rules, score, holds, decided_at, decided_by)
  select friend_id, coalesce(doubt.rules, '{}'), coalesce(doubt.score, 0), state <> 'given',
    moment, decider
  from unnest(decided)
  left join jsonb_to_recordset(doubts) as doubt (friend_id uuid, rules text[], score integer)
    using (friend_id)
  on conflict (member_id) do update set
    rules = known.rules
      || array(select unnest(excluded.rules) except select unnest(known.rules) order by 1),
    score = greatest(known.score, excluded.score),
    holds = excluded.holds,
    decided_at = excluded.decided_at,
    decided_by = excluded.decided_by;
  if decider = 'operator' then
    update second_look set answered_at = moment
    where answered_at is null and member_id = any(array(select referrer_id from unnest(decided)));
  end if;
  return next;
end $$;
