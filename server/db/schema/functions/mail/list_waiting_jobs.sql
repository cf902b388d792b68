-- Mails that the queue holds for their first or next attempt, oldest first, after the one that was
-- queued at "after_us" (microseconds since 1970). For each priority, the
-- index of waiting jobs that pg-boss fetches by is the only way, whatever the planner thinks of the
-- table.
create or replace function list_waiting_jobs(after_us bigint, after_id uuid, at_most integer)
returns table (
  id uuid, queued_us bigint, kind text, queued_at timestamptz, next_at timestamptz,
  attempts integer, cause text, member_id uuid, email text)
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  after_time timestamptz := 'epoch'::timestamptz + after_us * interval '1 microsecond';
begin
  return query
    select job.id, (extract(epoch from job.created_on) * 1000000)::bigint, job.data->>'kind',
      job.created_on, job.start_after,
      case when job.state = 'retry' then job.retry_count + 1 else 0 end,
      job.output->>'cause', member.id, member.email
    from (
      select one.* from unnest('{1, 0}'::integer[]) of_priority (value)
      cross join lateral (
        select * from pgboss.job
        where name = 'mail' and priority = of_priority.value and state < 'active' and not blocked
          and (created_on, id) > (after_time, after_id)
        order by created_on, id
        limit at_most
      ) one
      order by one.created_on, one.id
      limit at_most
    ) job
    left join lateral (
      select id, email from member where member.id = (job.data->>'memberId')::uuid offset 0
    ) member on true
    order by job.created_on, job.id;
end $$;
