-- Members and their positions of one moment, with how many of their friends count, joined, have
-- confirmed, and would count in a frozen line. In plpgsql, so that the plan is made once per
-- connection.
create or replace function read_members(member_ids uuid[])
returns table (
  id uuid, email text, referral_code text, referral_count integer, "position" bigint,
  joined_referrals integer, confirmed_referrals integer, settled_referrals integer,
  is_confirmed boolean, mailbox uuid)
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    select known.id, known.email, known.referral_code, known.referral_count, own.position,
      confirmed.friends + known.unconfirmed + (
        select count(*)::integer from member friend
        where friend.referrer_id = known.id and friend.credit = 'pending'
      ),
      confirmed.friends, case when confirmed.friends = 0 then 0 else (
        select credits from settled_credits(known.id)
      ) end,
      known.confirmed_at is not null, known.mailbox
    from unnest(member_ids) as asked (id)
    cross join lateral (
      select * from member join standing on standing.member_id = asked.id
      where member.id = asked.id
      offset 0 -- otherwise a plan made for empty tables reads whole ones
    ) known
    cross join lateral (
      select known.referral_count - counting_friends(0, known.unconfirmed) as friends
    ) confirmed
    cross join lateral position_of(known.sort_key) own;
end $$;
