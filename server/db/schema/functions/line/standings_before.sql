-- Standings as if the newest friends of these members had never joined: "new_friends" says how many
-- of each. A member with fewer has none. Ordinals count the members from 1. In plpgsql, so that the
-- plan is made once per connection: each mail about friends asks for one standing.
create or replace function standings_before(member_ids uuid[], new_friends integer[])
returns table (ordinal bigint, "position" bigint, referral_count integer)
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    select gain.ordinal, own.position - (
        select count(*) from standing ahead
        where ahead.sort_key < earlier.key and ahead.member_id = any(known.id || array(
          select friend.id from member friend
          where friend.referrer_id = known.id and friend.credit = 'given'
          order by friend.sequence desc limit gain.friends))
      ), known.referral_count - gain.friends
    from unnest(member_ids, new_friends) with ordinality gain (member_id, friends, ordinal)
    cross join lateral (
      select * from member join standing on standing.member_id = member.id
      where member.id = gain.member_id
      offset 0 -- otherwise a plan made for empty tables reads whole ones
    ) known
    cross join lateral sort_key_of(
      known.sequence, known.referral_count - gain.friends, known.is_invited,
      known.point_adjustment) earlier (key)
    cross join lateral position_of(earlier.key) own
    where known.referral_count >= gain.friends;
end $$;
