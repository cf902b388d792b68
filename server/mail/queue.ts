/** The queue of mail: pg-boss's, whose tables hold member ids and kinds, never an address. */
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { MailKind } from '../../contract/mails.ts';
import type { Database } from '../db/database.ts';
import { MAIL_QUEUE } from '../db/queue-schema.ts';

/** What is queued about a mail; everything else is read when it is sent. */
export type MailRequest =
  | { readonly kind: Exclude<MailKind, 'friends' | 'tier' | 'hundred'>; readonly memberId: string }
  | { readonly kind: 'friends'; readonly memberId: string; readonly newFriends: number }
  | { readonly kind: 'tier'; readonly memberId: string; readonly level: number }
  | { readonly kind: 'hundred'; readonly memberId: string; readonly isInside: boolean };

export type MailJob = {
  /** The same in every attempt. */
  readonly id: string;
  readonly request: MailRequest;
  readonly queuedAt: Date;
  /** Which attempt holds it. */
  readonly retryCount: number;
};

/** How it ended, as kept beside the job for some days: no text of a mail server, which likes to quote addresses. */
export type MailEnd = { readonly outcome: string; readonly responseCode?: number };

export type MailQueue = {
  /** Jobs that are due, now held by this server. */
  take(limit: number): Promise<MailJob[]>;
  /** Says that this server is still at it. */
  hold(jobs: readonly MailJob[]): Promise<void>;
  finish(job: MailJob, end: MailEnd): Promise<void>;
  /** Again later, each time after a longer pause. */
  retry(job: MailJob, end: MailEnd): Promise<void>;
  /** What failed because no mail server was there, and was not tried more often than that, is due now. */
  hurry(triesAtMost: number): Promise<void>;
  /** At once, for any server. */
  handBack(jobs: readonly MailJob[]): Promise<void>;
  /** Mails that wait for their first or next attempt. */
  countWaiting(): Promise<number>;
  close(): Promise<void>;
};

/** Rather than at every look: it reads every mail that waits. */
const LOOK_FOR_IDLE_EVERY_MS = 5_000;
/** A mail at which one server after the other dies waits longer every time. */
const DEATHS_IN_HASTE = 3;
/** Mails moved to the queue at a time: many times what is taken, few enough to be quick. */
const BATCHED_AT_LEAST = 256;
/** How often held jobs of dead servers are looked for. The embedded engine has one server, which frees its own at the start. */
const SUPERVISE_EVERY_S = { embedded: 300, postgres: 10 };
/** What pg-boss would look for every few seconds and this product does not use. */
const UNUSED_EVERY_S = 3600;

export async function openMailQueue(database: Database, onError: (error: unknown) => void): Promise<MailQueue> {
  const every = SUPERVISE_EVERY_S[database.engine];
  const boss = new PgBoss({
    db: { executeSql: database.runSql },
    migrate: false,
    createSchema: false,
    schedule: false,
    superviseIntervalSeconds: every,
    monitorIntervalSeconds: every,
    flowIntervalSeconds: UNUSED_EVERY_S,
    bamIntervalSeconds: UNUSED_EVERY_S,
    ...(database.engine === 'embedded' && { backend: 'pglite' as const, reindex: false, monitorVacuum: false }),
  });
  boss.on('error', onError);
  await boss.start();
  if (database.engine === 'embedded') await freeAll(database);
  let lookedAt = performance.now();

  /** Looked for only when little else is. */
  async function hurryIdle(): Promise<void> {
    if (performance.now() - lookedAt < LOOK_FOR_IDLE_EVERY_MS) return;
    lookedAt = performance.now();
    await hurryWhatWaitsForNothing(database);
  }

  return {
    async take(limit) {
      await queueBatched(database);
      const jobs = await boss.fetch<MailRequest>(MAIL_QUEUE, { batchSize: limit, includeMetadata: true });
      if (jobs.length < limit) await hurryIdle();
      return jobs.map(({ id, data, createdOn, retryCount }) => ({
        id,
        request: data,
        queuedAt: createdOn,
        retryCount,
      }));
    },
    hold: async (jobs) => void (await boss.touch(MAIL_QUEUE, jobs.map(attemptOf))),
    finish: async (job, end) => void (await boss.complete(MAIL_QUEUE, attemptOf(job), end)),
    retry: async (job, end) => void (await boss.fail(MAIL_QUEUE, attemptOf(job), end)),
    hurry: (triesAtMost) => hurry(database, triesAtMost),
    handBack: (jobs) =>
      free(
        database,
        jobs.map(({ id }) => id),
      ),
    countWaiting: () => countWaiting(database),
    close: () => boss.stop({ graceful: false }),
  };
}

/** Takes mails up in a transaction of the caller's or on its own. */
export async function queueMails(kysely: Database['kysely'], mails: readonly MailRequest[]): Promise<void> {
  const texts = mails.map((mail) => JSON.stringify(mail));
  await sql`select queue_mails(${texts}::text[]::jsonb[])`.execute(kysely);
}

/** By its id and attempt: a server that was taken for dead and is not can no longer settle what another has taken over. */
function attemptOf({ id, retryCount }: MailJob) {
  return { id, retryCount };
}

/** Joins leave their mails in batches, a row each, which is cheaper than a job each while a visitor waits. */
async function queueBatched({ kysely }: Database): Promise<void> {
  await sql`select queue_batched_mails(${BATCHED_AT_LEAST})`.execute(kysely);
}

async function freeAll({ kysely }: Database): Promise<void> {
  await sql`
    update pgboss.job set state = 'retry', start_after = now() where name = ${MAIL_QUEUE} and state = 'active'
  `.execute(kysely);
}

async function free({ kysely }: Database, ids: readonly string[]): Promise<void> {
  await sql`
    update pgboss.job set state = 'retry', start_after = now()
    where name = ${MAIL_QUEUE} and state = 'active' and id = any(${ids}::uuid[])
  `.execute(kysely);
}

/** Failures that the mail server did not cause by a word, or by 421, which is about no mail. */
async function hurry({ kysely }: Database, triesAtMost: number): Promise<void> {
  await sql`
    update pgboss.job set start_after = now()
    where name = ${MAIL_QUEUE} and state = 'retry' and not blocked and start_after > now() and retry_count < ${triesAtMost}
      and output->>'outcome' = 'later' and coalesce(output->>'responseCode', '421') = '421'
  `.execute(kysely);
}

/**
 * After a clock was put back, what was due is due in an hour: only then was anything queued, or tried, after now. And what a dead server
 * held has waited already; to pg-boss it failed and is to pause like what a mail server refused.
 */
async function hurryWhatWaitsForNothing({ kysely }: Database): Promise<void> {
  await sql`
    update pgboss.job set start_after = now()
    where name = ${MAIL_QUEUE} and state < 'active' and not blocked and start_after > now()
      and (coalesce(started_on, created_on) > now() + interval '5 seconds'
        or (output->'value'->>'message' = 'job heartbeat timeout' and retry_count < ${DEATHS_IN_HASTE}))
  `.execute(kysely);
}

/** In the words of pg-boss's partial index, without which every mail ever sent would be looked at. */
async function countWaiting({ kysely }: Database): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select (select count(*) from pgboss.job where name = ${MAIL_QUEUE} and state < 'active' and not blocked)
      + (select coalesce(sum(cardinality(member_ids)), 0)::bigint from mail_batch) as waiting
  `.execute(kysely);
  return rows[0]?.waiting ?? 0;
}
