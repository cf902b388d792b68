-- Decides about credits for an operator or a 'bounce', see credits_to_decide. Returns what
-- restore_credits needs.
create or replace function decide_credits(
  friend_ids uuid[], state text, decider text, needs_confirmation boolean, also_decided boolean)
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
  insert into credit_case as known (member_id, rules, score, holds, decided_at, decided_by)
  select friend_id, '{}', 0, state <> 'given' and decider <> 'bounce', moment, decider
  from unnest(decided)
  on conflict (member_id) do update set
    -- A friend who confirms after a bounce is as suspicious as before.
    holds = case decider when 'bounce' then known.holds else excluded.holds end,
    decided_at = excluded.decided_at,
    decided_by = excluded.decided_by;
  update second_look set answered_at = moment
  where decider = 'operator' and answered_at is null 
    and member_id = any(array(select referrer_id from unnest(decided)));
  return next;
end $$;
