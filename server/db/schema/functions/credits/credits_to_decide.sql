-- The credits among these that a decision changes. Left out are those that it leaves as they are,
-- and what an operator decided: for the sweep always, for operators unless also_decided. Where
-- friends must confirm first, a credit that is not refused is pending until they do.
create or replace function credits_to_decide(
  friend_ids uuid[], state text, decider text, needs_confirmation boolean, also_decided boolean)
returns decided_credit[] language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select row (
      friend.id, friend.referrer_id, friend.credit, target.credit, to_jsonb(known)
    )::decided_credit
    from (select distinct unnest(friend_ids) as id) asked
    cross join lateral (
      select * from member where id = asked.id and referrer_id is not null offset 0
    ) friend
    left join lateral (
      select * from credit_case where member_id = asked.id offset 0
    ) known on true
    cross join lateral (
      select case
        when state <> 'refused' and needs_confirmation and friend.confirmed_at is null
          and friend.credit <> 'given' then 'pending'
        else state
      end as credit
    ) target
    where (
      target.credit <> friend.credit
      or target.credit = 'pending' and coalesce(known.holds, false) <> (state = 'held')
      or decider = 'operator' and known.decided_by is distinct from 'operator'
    ) and (
      known.decided_by is distinct from 'operator' or decider = 'operator' and also_decided
    )
    order by friend.sequence);
end $$;
