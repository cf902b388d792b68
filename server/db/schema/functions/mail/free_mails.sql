-- How many mails may still leave within limits of a rolling hour and day; null is no limit. Counts
-- the whole of the oldest minute.
create or replace function free_mails(hourly integer, daily integer) returns integer
language sql volatile as $$
  select least(
    hourly - coalesce(sum(mails) filter (
      where minute > clock_timestamp() - interval '1 hour 1 minute'), 0)::integer,
    daily - coalesce(sum(mails), 0)::integer,
    2147483647)
  from mail_count
  where (hourly is not null or daily is not null)
    and minute > clock_timestamp() - interval '1 day 1 minute'
$$;
