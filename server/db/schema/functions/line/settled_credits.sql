-- What the friends of members count for in a frozen line: everyone who has confirmed, one of each
-- mailbox, namely who confirmed it first of the whole line. Friends whose mailboxes have one
-- registrable name count whole up to 25, and then half; at a provider each counts whole. Of all at
-- services that give one person many addresses, whose name is '*', ten count. In SQL, so that it is
-- planned as part of its caller.
create or replace function settled_credits(member_ids uuid[])
returns table (member_id uuid, credits integer) language sql stable as $$
  select asked.id, coalesce(sum(case
      when name is null then 2 * friends
      when name = '*' then 2 * least(friends, 10)
      else 2 * least(friends, 25) + greatest(friends - 25, 0)
    end), 0)::integer / 2
  from unnest(member_ids) asked (id)
  left join lateral (
    select name, count(*) as friends
    from member friend
    cross join lateral (
      select case when friend.proved_mailbox is null
        then split_part(friend.email_identity, '@', 2) else friend.proved_name end as name
    ) own
    where friend.referrer_id = asked.id and friend.credit = 'given'
      and friend.confirmed_at is not null
      and not exists (
        select from member earlier
        where earlier.proved_mailbox = friend.proved_mailbox
          and (earlier.confirmed_at, earlier.id) < (friend.confirmed_at, friend.id) offset 0)
    group by name
  ) of_name on true
  group by asked.id
$$;
