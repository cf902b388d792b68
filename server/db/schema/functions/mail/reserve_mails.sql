-- Reserves the next slots of the one rate that all servers share, and counts their mails. Grants
-- fewer than wanted at a limit. The first slot is in so many milliseconds, negative for one that
-- has just passed while a busy server was late to reserve it.
create or replace function reserve_mails(
  wanted integer, interval_ms float8, hourly integer, daily integer)
returns table (granted integer, in_ms float8)
language plpgsql as $$
declare
  pace mail_pace;
  now_at timestamptz;
  first_at timestamptz;
begin
  select * into pace from mail_pace for update;
  now_at := clock_timestamp();
  granted := greatest(0, least(wanted, free_mails(hourly, daily)));
  -- The clock was set back if the last reservation is ahead of it, by more than a server waits for
  -- the one of another.
  first_at := case
    when pace.reserved_at > now_at + interval '5 seconds'
      or pace.next_at < now_at - interval '0.25 seconds' then now_at
    else pace.next_at end;
  update mail_pace set reserved_at = now_at,
    next_at = first_at + make_interval(secs => granted * interval_ms / 1000);
  insert into mail_count as known (minute, mails)
  values (date_trunc('minute', now_at), granted)
  on conflict (minute) do update set mails = known.mails + excluded.mails;
  delete from mail_count where minute < now_at - interval '2 days';
  in_ms := extract(epoch from first_at - now_at)::float8 * 1000;
  return next;
end $$;
