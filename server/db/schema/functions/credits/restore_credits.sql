-- Undoes a decision of decide_credits, where nobody has decided about the credit since. A friend
-- who confirmed meanwhile no longer waits for that. Returns how many credits are as they were.
create or replace function restore_credits(decided decided_credit[], moment timestamptz)
returns integer language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  restored decided_credit[];
begin
  perform from line_state for update;
  restored := array(
    select row (
      friend.id, friend.referrer_id, friend.credit,
      case
        when friend.confirmed_at is null
          or one.before <> 'pending'
            and (one.before, one.earlier->>'decided_by') is distinct from ('refused', 'bounce')
          then one.before
        else 'given'
      end,
      friend.confirmed_at is not null, one.earlier)::decided_credit
    from unnest(decided) one
    cross join lateral (
      select * from member where id = one.friend_id and referrer_id is not null offset 0
    ) friend
    cross join lateral (
      select from credit_case where member_id = one.friend_id and decided_at = moment offset 0
    ) known
    where friend.credit = one.after or one.after = 'pending' and friend.credit = 'given'
  );
  perform set_credits(array_agg(friend_id), after)
  from unnest(restored) where before <> after group by after;
  delete from credit_case where member_id = any(array(select friend_id from unnest(restored)));
  insert into credit_case
  select earlier.* from unnest(restored) one
  cross join lateral jsonb_populate_record(null::credit_case, one.earlier) earlier
  where one.earlier is not null;
  return cardinality(restored);
end $$;
