-- Queues mails, {"kind", "memberId", ...} each, as pg-boss would, but in any transaction and round
-- trip. What a member must answer comes first, and campaigns last.
create or replace function queue_mails(mails jsonb[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan as $$
begin
  insert into pgboss.job (
    name, data, priority, start_after, created_on, keep_until, policy, expire_seconds,
    deletion_seconds, heartbeat_seconds,
    retry_limit, retry_delay, retry_backoff, retry_delay_max)
  select
    queue.name, mail,
    case
      when mail ? 'offerId' or mail->>'kind' in ('welcome', 'confirm') then 1
      when mail->>'kind' = 'campaign' then -1
      else 0 end,
    now(), now(), now() + make_interval(secs => queue.retention_seconds),
    queue.policy,
    queue.expire_seconds, queue.deletion_seconds, queue.heartbeat_seconds,
    queue.retry_limit, queue.retry_delay, queue.retry_backoff, queue.retry_delay_max
  from unnest(mails) mail, pgboss.queue queue
  where queue.name = 'mail';
end $$;
