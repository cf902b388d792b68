-- The credits among these that a decision changes. Left out is what an operator decided before,
-- unless also_decided and the state is another, and for a bounce always, as are friends who have
-- confirmed. Where friends must confirm first, an approved credit is pending until they do.
create or replace function credits_to_decide(
  friend_ids uuid[], state text, decider text, needs_confirmation boolean, also_decided boolean)
returns decided_credit[] language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select row (
      friend.id, friend.referrer_id, friend.credit, target.credit,
      friend.confirmed_at is not null, to_jsonb(known)
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
        when state = 'given' and needs_confirmation and friend.confirmed_at is null
          and friend.credit <> 'given' then 'pending'
        else state
      end as credit
    ) target
    where case when decider = 'bounce' then
      known.decided_by is distinct from 'operator' and friend.credit <> 'refused'
        and friend.confirmed_at is null
    else
      known.decided_by is distinct from 'operator'
        or also_decided and target.credit <> friend.credit
    end
    order by friend.sequence);
end $$;
