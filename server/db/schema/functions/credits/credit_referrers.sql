-- Adds friends to referrers, or takes them back with negative numbers: those who have confirmed,
-- and those who have not. Each referrer stands in the list once. The caller holds the line lock.
create or replace function credit_referrers(
  referrer_ids uuid[], more_confirmed integer[], more_unconfirmed integer[])
returns void language plpgsql as $$
begin
  update standing set
    referral_count = referral_count - counting_friends(0, unconfirmed)
      + counting_friends(more.confirmed, unconfirmed + more.others),
    sort_key = sort_key + sort_key_of(0, counting_friends(more.confirmed, unconfirmed + more.others)
      - counting_friends(0, unconfirmed), false, 0),
    unconfirmed = unconfirmed + more.others
  from unnest(referrer_ids, more_confirmed, more_unconfirmed) as more (id, confirmed, others)
  where standing.member_id = more.id;

  -- A new tier does not wait for the day of the next mail.
  insert into notification_due (member_id)
  select more.id
  from unnest(referrer_ids, more_confirmed, more_unconfirmed) as more (id, confirmed, others)
  where greatest(more.confirmed, more.others) > 0
    and (select due.due_after from notification_due due where due.member_id = more.id)
      is distinct from '-infinity'
  on conflict (member_id) do update set due_after = excluded.due_after;
end $$;
