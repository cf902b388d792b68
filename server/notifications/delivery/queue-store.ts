import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { only, run, some } from '../../db/rows.ts';
import { KEEP_UNDELIVERED_S, MAIL_QUEUE } from '../../db/schema/queue-schema.ts';

type Job = { readonly id: string };

/** The most mails of a rolling hour and day, over all servers; null is no limit. */
export type MailLimits = { readonly hourly: number | null; readonly daily: number | null };

/** After three worker crashes on one mail, use the normal back-off. */
const MAX_FAST_CRASH_RETRIES = 3;
const OUTBOX_BATCH_SIZE = 64;
/** A campaign leaves this share of each limit to joins and offers. */
const RESERVE = 1 / 5;
/** All other mails have at least 0. */
const CAMPAIGN_PRIORITY = -1;
/** With the next slot further ahead, no mail is taken: a more urgent one may come meanwhile. */
const MAX_AHEAD_S = 5;
const MIN_PROBE_PAUSE_S = 15;
const MAX_PROBE_PAUSE_S = 600;
const PUT_OFF_S = 900;

/** Joins write one outbox row a batch, which costs a visitor less time than one job per member. */
export function queueOutbox({ kysely }: Database) {
  return run(kysely)`select queue_batched_mails(${OUTBOX_BATCH_SIZE})`;
}

/** Without `jobs`, releases all: those of a process that has ended. */
export async function release({ kysely }: Database, jobs?: readonly Job[]): Promise<void> {
  const ids = jobs?.map(({ id }) => id) ?? null;
  await run(kysely)`
    update pgboss.job set state = 'retry', start_after = now()
    where name = ${MAIL_QUEUE} and state = 'active'
      and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))
  `;
}

/** The mail waits as one that was never tried. */
export function putOff({ kysely }: Database, { id }: Job) {
  return run(kysely)`
    update pgboss.job set state = 'created', started_on = null,
      start_after = now() + make_interval(secs => ${PUT_OFF_S}::float8)
    where name = ${MAIL_QUEUE} and id = ${id}::uuid and state = 'active'
  `;
}

/** Makes failed mails due: all, or those whose failure was no answer about them, or 421. */
export function retryFailedMails(
  { kysely }: Database,
  { maxRetries = 1_000_000, isOfAll = false } = {},
) {
  return run(kysely)`
    update pgboss.job set start_after = now()
    where name = ${MAIL_QUEUE} and state = 'retry' and not blocked and start_after > now()
      and retry_count < ${maxRetries}
      and output->>'outcome' = 'later'
      and (${isOfAll}::boolean or coalesce(output->>'responseCode', '421') = '421')
  `;
}

/** Makes the failed mail due whose last attempt is the longest ago, as the next probe. */
export function retryOldestFailure({ kysely }: Database) {
  return run(kysely)`
    update pgboss.job set start_after = now()
    where name = ${MAIL_QUEUE} and id = (
      select id from pgboss.job
      where name = ${MAIL_QUEUE} and state = 'retry' and not blocked
        and output->>'outcome' = 'later'
      order by started_on limit 1)
  `;
}

/** The operator may look weeks later; pg-boss deletes other mails after some days. */
export function keepUndelivered({ kysely }: Database, { id }: Job) {
  return run(kysely)`
    update pgboss.job set deletion_seconds = ${KEEP_UNDELIVERED_S}
    where name = ${MAIL_QUEUE} and id = ${id}::uuid and state = 'completed'
  `;
}

/** After the clock was set back, or a server died, mails would wait too long. */
export function retryStalledMails({ kysely }: Database) {
  return run(kysely)`
    update pgboss.job set start_after = now()
    where name = ${MAIL_QUEUE} and state < 'active' and not blocked and start_after > now()
      and (coalesce(started_on, created_on) > now() + interval '5 seconds'
        or (output->'value'->>'message' = 'job heartbeat timeout'
          and retry_count < ${MAX_FAST_CRASH_RETRIES}))
  `;
}

/** Milliseconds from now for each, negative for slots just passed. Fewer than wanted at a limit. */
export async function reserveSlots(
  { kysely }: Database,
  wanted: number,
  { intervalMs, hourly, daily }: MailLimits & { readonly intervalMs: number },
): Promise<number[]> {
  const row = await only<{ granted: number; in_ms: number }>(kysely)`
    select * from reserve_mails(
      ${wanted}::integer, ${intervalMs}::float8, ${hourly}::integer, ${daily}::integer)
  `;
  const { granted, in_ms: firstInMs } = row;
  return Array.from({ length: granted }, (_, index) => firstInMs + index * intervalMs);
}

/** How many mails may be taken now, and of which. While mail stands still, one is a probe. */
export async function readAllowance({ kysely }: Database, { hourly, daily }: MailLimits) {
  type Numbers = Record<'free' | 'freeForCampaigns', number>;
  const row = await only<Numbers & Record<'isAhead' | 'isRefused' | 'isProbe', boolean>>(kysely)`
    with probe as (
      update mail_pace set probe_at = clock_timestamp() + least(
        make_interval(secs => ${MAX_PROBE_PAUSE_S}::float8),
        greatest(
          make_interval(secs => ${MIN_PROBE_PAUSE_S}::float8), clock_timestamp() - refused_since))
      where ${IS_REFUSED} and probe_at <= clock_timestamp()
      returning 1
    )
    select free_mails(${hourly}::integer, ${daily}::integer) as free, ${IS_REFUSED} as "isRefused",
      free_mails(${partOf(hourly)}::integer, ${partOf(daily)}::integer) as "freeForCampaigns",
      exists (select from probe) as "isProbe",
      next_at > clock_timestamp() + make_interval(secs => ${MAX_AHEAD_S}::float8)
        and reserved_at <= clock_timestamp() as "isAhead"
    from mail_pace
  `;
  const { free, freeForCampaigns, isAhead, isRefused, isProbe } = row;
  const minPriority = freeForCampaigns > 0 ? CAMPAIGN_PRIORITY : 0;
  const most = isRefused ? Number(isProbe) : isAhead ? 0 : free;
  return { mails: Math.min(most, minPriority < 0 ? freeForCampaigns : free), minPriority, isProbe };
}

function partOf(limit: number | null): number | null {
  return limit === null ? null : limit - Math.floor(limit * RESERVE);
}

const IS_REFUSED = sql<boolean>`(refused_since is not null and refused_until is null)`;

/** Mail stands still on all servers. Returns false when it does so already. */
export function noteRefusal({ kysely }: Database, refusedWith: string) {
  return some(kysely)`
    update mail_pace set refused_since = clock_timestamp(), refused_until = null,
      refused_with = ${refusedWith},
      probe_at = clock_timestamp() + make_interval(secs => ${MIN_PROBE_PAUSE_S}::float8)
    where not ${IS_REFUSED} returning 1
  `;
}

export function endRefusal({ kysely }: Database) {
  return run(kysely)`update mail_pace set refused_until = clock_timestamp() where ${IS_REFUSED}`;
}

/** After a probe that told nothing about the sender. */
export function probeAgain({ kysely }: Database) {
  return run(kysely)`update mail_pace set probe_at = clock_timestamp() where ${IS_REFUSED}`;
}

/** For the sweep of offers on any server, which waits while the mail server is down. */
export function noteProbe({ kysely }: Database, isUp: boolean) {
  return run(kysely)`
    update mail_pace set failed_at = case when not ${isUp}::boolean then clock_timestamp() end
  `;
}
