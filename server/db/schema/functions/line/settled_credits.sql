-- What the confirmed friends of members count for in a frozen line. Members who brought each other
-- and whose mailboxes are not costly are a tree, which gains no more than one of them could with
-- all its friends; the members nearest its root come first, then who confirmed first. A held or
-- refused friend links a tree all the same: otherwise a decision against one would cut it in two.
-- Every two costly friends, and every three hosted ones, let one more open friend count whole.
create or replace function settled_credits(member_ids uuid[])
returns table (member_id uuid, credits integer) language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
  with recursive climbed (member_id, above_id) as (
    select null::uuid, unnest(member_ids)
    union
    select climbed.above_id, above.id
    from climbed left join lateral (
      select inviter.id
      from (select * from member where id = climbed.above_id offset 0) friend
      cross join lateral domain_kind(split_part(friend.email_identity, '@', 2)) own
      cross join lateral (select * from member where id = friend.referrer_id offset 0) inviter
      cross join lateral domain_kind(split_part(inviter.email_identity, '@', 2)) above
      where friend.confirmed_at is not null and own.kind <> 'costly' and above.kind <> 'costly'
    ) above on true
    where climbed.above_id is not null
  ),
  friend (
    root_id, depth, referrer_id, friend_id, credit, confirmed_at, kind, domain, has_friends) as (
    select root.id, 0, null::uuid, root.id, 'none', null::timestamptz, own.kind, null collate "C",
      true
    from climbed
    cross join lateral (select * from member where id = climbed.member_id offset 0) root
    cross join lateral domain_kind(split_part(root.email_identity, '@', 2)) own
    where climbed.above_id is null
    union all
    select above.root_id, above.depth + 1, above.friend_id, friend.id, friend.credit,
      friend.confirmed_at, own.kind, friend.domain, above.kind <> 'costly' and own.kind <> 'costly'
    from friend above
    cross join lateral (
      select id, credit, confirmed_at, split_part(email_identity, '@', 2) as domain from member
      where referrer_id = above.friend_id and confirmed_at is not null offset 0
    ) friend
    cross join lateral domain_kind(friend.domain) own
    where above.has_friends
  ),
  settled as (
    select *, kind = 'costly' or kind = 'hosted' and 25 >= row_number() over (
      partition by root_id, kind, domain order by depth, confirmed_at, friend_id) as is_whole
    from friend where credit = 'given'
  ),
  ranked as (
    select referrer_id, is_whole,
      row_number() over (partition by root_id, is_whole order by depth, confirmed_at, friend_id)
        - sum(case when kind = 'costly' then 3 when is_whole then 2 else 0 end)
          over (partition by root_id) / 6 as place
    from settled
  )
  select id, sum(tenths)::integer / 10 from (
    select unnest(member_ids) as id, true as is_asked, 0 as tenths
    union all
    select referrer_id, false, case
      when is_whole or place <= 5 then 10
      when place <= 15 then 5
      when place <= 65 then 1
      else 0 end
    from ranked
  ) counted
  group by id having bool_or(is_asked)
$$;
