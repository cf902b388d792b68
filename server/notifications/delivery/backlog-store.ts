import type { Database } from '../../db/database.ts';
import { only } from '../../db/rows.ts';
import { MAIL_QUEUE } from '../../db/schema/queue-schema.ts';

export type Backlog = {
  readonly waiting: number;
  readonly stuck: number;
  readonly oldestSeconds: number;
  /** Mail stands still, because the provider refuses the sender. */
  readonly isRefused: boolean;
};

/** Rows that are counted one by one. A longer backlog is estimated from cheaper numbers. */
const MAX_COUNTED_JOBS = 10_000;
const MAX_COUNTED_BATCHES = 1_000;

/** A long backlog is estimated. The conditions match pg-boss's partial index. */
export function readBacklog({ kysely }: Database) {
  return only<Backlog>(kysely)`
    with job as (
      select state, output, created_on, start_after from pgboss.job
      where name = ${MAIL_QUEUE} and state < 'active' and not blocked
      limit ${MAX_COUNTED_JOBS}
    ), queued as (
      select count(*) as jobs,
        -- One that was put off waits by itself, and not for the mail server.
        min(created_on) filter (where state = 'retry' or start_after <= now()) as oldest,
        count(*) filter (where state = 'retry' and output->>'outcome' = 'later') as stuck
      from job
    ), batch as (
      select first_sequence, cardinality(member_ids) as mails from mail_outbox
      order by first_sequence limit ${MAX_COUNTED_BATCHES}
    ), outbox as (
      select count(*) as batches, coalesce(sum(mails), 0)::bigint as mails,
        max(first_sequence + mails) as next_sequence
      from batch
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
        queued.oldest, (select joined_at from oldest_join))), 0))::float8
        as "oldestSeconds",
      (select refused_since is not null and refused_until is null from mail_pace)
        as "isRefused"
    from queued, outbox
  `;
}
