drop function read_members(uuid[]);

-- Members and their places, of one moment; where credit waits for the friends to confirm, also how many have still to, and whether the
-- member has. In plpgsql so that the plan is made once per connection.
create function read_members(member_ids uuid[], is_credit_waiting boolean)
returns table (
  id uuid, email text, referral_code text, referral_count integer, place bigint, pending_referrals integer, is_confirmed boolean)
language plpgsql stable
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    select member.id, member.email, member.referral_code, member.referral_count, place_of.place,
      case when is_credit_waiting then (
        select count(*)::integer from member friend where friend.referrer_id = member.id and not friend.is_credited
      ) end,
      member.confirmed_at is not null
    from unnest(member_ids) as asked (id)
    join member on member.id = asked.id
    cross join lateral place_of(member.sort_key);
end $$;
