import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { KEEP_UNDELIVERED_S, MAIL_QUEUE } from '../../db/schema/queue-schema.ts';

type Job = { readonly id: string };

/** After three worker crashes on one mail, use the normal back-off. */
const MAX_FAST_CRASH_RETRIES = 3;
const OUTBOX_BATCH_SIZE = 64;
/** Longer than one server waits for another one's reservation. */
const CLOCK_TOLERANCE_S = 5;
/** Slots that passed while a busy server was late to reserve them are used all the same. */
const MAX_BEHIND_S = 0.25;

/** Joins write one outbox row a batch, which costs a visitor less time than one job per member. */
export async function queueOutbox({ kysely }: Database): Promise<void> {
  await sql`select queue_batched_mails(${OUTBOX_BATCH_SIZE})`.execute(kysely);
}

/** Without `jobs`, releases all: those of a process that has ended. */
export async function release({ kysely }: Database, jobs?: readonly Job[]): Promise<void> {
  const ids = jobs?.map(({ id }) => id) ?? null;
  await sql`
    update pgboss.job set state = 'retry', start_after = now()
    where name = ${MAIL_QUEUE} and state = 'active'
      and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))
  `.execute(kysely);
}

/** Makes mails due whose failure had no SMTP response, or 421: neither is about the mail. */
export async function retryFailedMails(
  { kysely }: Database,
  maxRetries = 1_000_000,
): Promise<void> {
  await sql`
    update pgboss.job set start_after = now()
    where name = ${MAIL_QUEUE} and state = 'retry' and not blocked and start_after > now()
      and retry_count < ${maxRetries}
      and output->>'outcome' = 'later' and coalesce(output->>'responseCode', '421') = '421'
  `.execute(kysely);
}

/** The operator may look weeks later; pg-boss deletes other mails after some days. */
export async function keepUndelivered({ kysely }: Database, { id }: Job): Promise<void> {
  await sql`
    update pgboss.job set deletion_seconds = ${KEEP_UNDELIVERED_S}
    where name = ${MAIL_QUEUE} and id = ${id}::uuid and state = 'completed'
  `.execute(kysely);
}

/** After the clock was set back, or a server died, mails would wait too long. */
export async function retryStalledMails({ kysely }: Database): Promise<void> {
  await sql`
    update pgboss.job set start_after = now()
    where name = ${MAIL_QUEUE} and state < 'active' and not blocked and start_after > now()
      and (coalesce(started_on, created_on) > now() + interval '5 seconds'
        or (output->'value'->>'message' = 'job heartbeat timeout'
          and retry_count < ${MAX_FAST_CRASH_RETRIES}))
  `.execute(kysely);
}

/** Milliseconds from now for each, negative for slots just passed. All servers share one row. */
export async function reserveSlots(
  { kysely }: Database,
  count: number,
  intervalMs: number,
): Promise<number[]> {
  const reservedMs = count * intervalMs;
  const { rows } = await sql<{ in_ms: number }>`
    with moment as (select clock_timestamp() as at)
    update mail_pace
    set reserved_at = moment.at,
      next_at = make_interval(secs => ${reservedMs / 1000}::float8) + case
        when mail_pace.reserved_at > moment.at + make_interval(secs => ${CLOCK_TOLERANCE_S}::float8)
          or mail_pace.next_at < moment.at - make_interval(secs => ${MAX_BEHIND_S}::float8)
        then moment.at else mail_pace.next_at end
    from moment
    returning
      extract(epoch from next_at - moment.at)::float8 * 1000 - ${reservedMs}::float8 as in_ms
  `.execute(kysely);
  const firstInMs = rows[0]?.in_ms ?? 0;
  return Array.from({ length: count }, (_, index) => firstInMs + index * intervalMs);
}

/** For the sweep of offers on any server, which waits while the mail server is down. */
export async function noteProbe({ kysely }: Database, isUp: boolean): Promise<void> {
  await sql`
    update mail_pace set failed_at = case when not ${isUp}::boolean then clock_timestamp() end
  `.execute(kysely);
}
