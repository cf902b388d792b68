-- Lets the line act again. What waited gets back the time: mails, which are given up by their age
-- and have links that end, passes that are to be paid, and the window in which members enter. The
-- sweep of offers gives them theirs.
create or replace function forget_copy() returns void language sql as $$
  update pgboss.job set created_on =
    least(clock_timestamp(), created_on + greatest('0', clock_timestamp() - copy_since))
  from line_home where name = 'mail' and state < 'active';
  update checkout set pay_by = pay_by + waited, remind_at = checkout.remind_at + waited,
    next_at = '-infinity'
  from line_home, offer,
    greatest('0', clock_timestamp() - greatest(copy_since, settled_at)) as waited
  where offer.id = offer_id and checkout.state in ('wanted', 'created');
  with waiting as (
    update mask_drop set enter_until = enter_until + greatest('0', clock_timestamp() - copy_since)
    from line_home where state = 'frozen' and announced_at is null returning number, enter_until)
  update checkout set pay_by = greatest(pay_by, enter_until), next_at = '-infinity'
  from waiting where number = drop_number and state in ('wanted', 'created');
  update line_home set copy_cause = null, copy_since = null;
$$;
