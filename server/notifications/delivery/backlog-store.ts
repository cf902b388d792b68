import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { MAIL_QUEUE } from '../../db/schema/queue-schema.ts';

export type Backlog = Awaited<ReturnType<typeof readBacklog>>;

/** Rows that are counted one by one. A longer backlog is estimated from cheaper numbers. */
const MAX_COUNTED_JOBS = 10_000;
const MAX_COUNTED_BATCHES = 1_000;

/** A long backlog is estimated. The conditions match pg-boss's partial index. */
export async function readBacklog({ kysely }: Database) {
  const { rows } = await sql<{ waiting: number; stuck: number; oldest_seconds: number }>`
    with job as (
      select state, output from pgboss.job
      where name = ${MAIL_QUEUE} and state < 'active' and not blocked
      limit ${MAX_COUNTED_JOBS}
    ), queued as (
      select count(*) as jobs,
        count(*) filter (where state = 'retry' and output->>'outcome' = 'later') as stuck
      from job
    ), batch as (
      select first_sequence, cardinality(member_ids) as mails from mail_outbox
      order by first_sequence limit ${MAX_COUNTED_BATCHES}
    ), outbox as (
      select count(*) as batches, coalesce(sum(mails), 0)::bigint as mails,
        max(first_sequence + mails) as next_sequence
      from batch
    ), oldest_job as (
      select created_on from pgboss.job
      where name = ${MAIL_QUEUE} and state < 'active' and not blocked
      order by priority desc, created_on limit 1
    ), oldest_join as (
      select joined_at from member where id = (
        select member_ids[1] from mail_outbox
        where member_ids <> '{}' order by first_sequence limit 1)
    )
    select stuck,
      case when jobs < ${MAX_COUNTED_JOBS} then jobs else greatest(
        jobs, (select queued_count from pgboss.queue where name = ${MAIL_QUEUE})) end
      + mails
      + case when batches < ${MAX_COUNTED_BATCHES} then 0 else greatest(
        0, (select line_state.next_sequence from line_state) - outbox.next_sequence) end
        as waiting,
      greatest(0, coalesce(extract(epoch from clock_timestamp() - least(
        (select created_on from oldest_job), (select joined_at from oldest_join))), 0))::float8
        as oldest_seconds
    from queued, outbox
  `.execute(kysely);
  const { waiting = 0, stuck = 0, oldest_seconds: oldestSeconds = 0 } = rows[0] ?? {};
  return { waiting, stuck, oldestSeconds };
}
