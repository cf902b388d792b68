-- Mails that never arrived, newest first, before the one that ended at "before_us" (microseconds
-- since 1970). Without a sort, our index of these is the only way.
create or replace function list_undelivered(before_us bigint, before_id uuid, at_most integer)
returns table (
  id uuid, ended_us bigint, kind text, queued_at timestamptz, ended_at timestamptz,
  attempts integer, outcome text, cause text, response_code integer, member_id uuid, email text)
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  before_time timestamptz := 'epoch'::timestamptz + before_us * interval '1 microsecond';
begin
  return query
    select job.id, (extract(epoch from job.completed_on) * 1000000)::bigint, job.data->>'kind',
      job.created_on, job.completed_on, job.retry_count + 1, job.output->>'outcome',
      job.output->>'cause', (job.output->>'responseCode')::integer, member.id, member.email
    from (
      select * from pgboss.job
      where output->>'outcome' in ('refused', 'given_up')
        and (completed_on, id) < (before_time, before_id)
      order by completed_on desc, id desc
      limit at_most
    ) job
    left join lateral (
      select id, email from member where member.id = (job.data->>'memberId')::uuid offset 0
    ) member on true
    order by job.completed_on desc, job.id desc;
end $$;
