-- What the friends of a member count for in a frozen line: everyone who has confirmed, one of each
-- mailbox, namely who confirmed it first of the whole line. Friends whose mailboxes have one
-- registrable name count whole up to 25, and then half; at a provider each counts whole. Of all at
-- services that give one person many addresses, whose name is '*', ten count. In SQL, so that it is
-- planned as part of its caller.
create or replace function settled_credits(inviter_id uuid)
returns table (credits integer) language sql stable as $$
  select coalesce(sum(case
      when name is null then 2 * friends
      when name = '*' then 2 * least(friends, 10)
      else 2 * least(friends, 25) + greatest(friends - 25, 0)
    end), 0)::integer / 2
  from (
    select proved_name as name, count(*) as friends
    from member friend
    where friend.referrer_id = inviter_id and friend.credit = 'given'
      and friend.confirmed_at is not null
      and not exists (
        select from member earlier
        where earlier.proved_mailbox = friend.proved_mailbox
          and (earlier.confirmed_at, earlier.id) < (friend.confirmed_at, friend.id) offset 0)
    group by proved_name
  ) of_name
$$;
