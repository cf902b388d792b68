-- Decides about credits as credits_to_decide planned it, and leaves out what has changed since.
-- Returns what restore_credits needs, with the moment.
create or replace function decide_credits(
  planned decided_credit[], moment timestamptz, state text, decider text,
  needs_confirmation boolean, also_decided boolean)
returns decided_credit[] language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  decided decided_credit[];
begin
  perform from line_state for update;
  decided := array(
    select unnest(credits_to_decide(
      array(select friend_id from unnest(planned)), state, decider, needs_confirmation,
      also_decided))
    intersect select unnest(planned));
  perform set_credits(array_agg(friend_id), after)
  from unnest(decided) where before <> after group by after;
  insert into credit_case (member_id, decided_at, decided_by)
  select friend_id, moment, decider from unnest(decided)
  on conflict (member_id) do update set
    decided_at = excluded.decided_at,
    decided_by = excluded.decided_by;
  return decided;
end $$;
