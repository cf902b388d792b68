-- Members and their positions of one moment, how many of their friends have a held credit, and
-- whether they asked for a second look at these: null, 'asked' or 'answered'. Held friends are
-- those who joined before yesterday in UTC, rounded up, so that nobody learns what holds a credit.
-- credit_rule: 'confirm' also counts friends who have yet to confirm, 'settle' those who have; null
-- and 'join' neither. In plpgsql, so that the plan is made once per connection.
create or replace function read_members(member_ids uuid[], credit_rule text)
returns table (
  id uuid, email text, referral_code text, referral_count integer, "position" bigint,
  pending_referrals integer, confirmed_referrals integer, held_referrals integer,
  second_look text,
  is_confirmed boolean, mailbox uuid)
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    select known.id, known.email, known.referral_code, known.referral_count, own.position,
      case when credit_rule = 'confirm' then (
        select count(*)::integer from member friend
        where friend.referrer_id = known.id and friend.credit = 'pending'
      ) end,
      case when credit_rule = 'settle' then case when known.referral_count = 0 then 0 else (
        select count(*)::integer from member friend
        where friend.referrer_id = known.id
          and friend.credit = 'given' and friend.confirmed_at is not null
      ) end end,
      case when held.friends = 0 then 0 else (
        select min(step) from unnest(
          array[5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 100000, 10000000]) step
        where step >= held.friends
      ) end,
      case when held.friends > 0 then (
        select case when answered_at is null then 'asked' else 'answered' end
        from second_look where member_id = known.id
      ) end,
      known.confirmed_at is not null, known.mailbox
    from unnest(member_ids) as asked (id)
    cross join lateral (
      select * from member join standing on standing.member_id = asked.id
      where member.id = asked.id
      offset 0 -- otherwise a plan made for empty tables reads whole ones
    ) known
    cross join lateral (
      select count(*)::integer as friends from member friend
      where friend.referrer_id = known.id and friend.credit = 'held'
        and friend.joined_at < date_trunc('day', now(), 'UTC') - interval '1 day'
    ) held
    cross join lateral position_of(known.sort_key) own;
end $$;
