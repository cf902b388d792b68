-- Adds credits to referrers, or takes them back with a negative number. Each referrer stands in the
-- list once. The caller holds the line lock.
create or replace function credit_referrers(referrer_ids uuid[], friends integer[])
returns void language plpgsql as $$
begin
  update standing set
    referral_count = standing.referral_count + credit.friends,
    sort_key = standing.sort_key + sort_key_of(0, credit.friends, false, 0)
  from unnest(referrer_ids, friends) as credit (referrer_id, friends)
  where standing.member_id = credit.referrer_id;

  -- A new tier does not wait for the day of the next mail.
  insert into notification_due (member_id)
  select credit.referrer_id
  from unnest(referrer_ids, friends) as credit (referrer_id, friends)
  where credit.friends > 0
    and (select due.due_after from notification_due due where due.member_id = credit.referrer_id)
      is distinct from '-infinity'
  on conflict (member_id) do update set due_after = excluded.due_after;
end $$;
