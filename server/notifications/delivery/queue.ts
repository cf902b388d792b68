/** The mail queue, in pg-boss's tables. A job holds a member id and a kind, never an address. */

import { PgBoss } from 'pg-boss';
import { openBatcher } from '../../db/batcher.ts';
import type { Database } from '../../db/database.ts';
import { mayAct } from '../../db/possible-copy.ts';
import { MAIL_QUEUE } from '../../db/schema/queue-schema.ts';
import { kindOf, type MailKinds, type MailRequest } from '../../line/mails/mail-kinds.ts';
import type { MailOutcome } from '../../mail/delivery/smtp-failure-rules.ts';
import { readBacklog } from './backlog-store.ts';
import {
  endRefusal,
  keepUndelivered,
  type MailLimits,
  noteProbe,
  noteRefusal,
  probeAgain,
  putOff,
  queueOutbox,
  readAllowance,
  release,
  reserveSlots,
  retryFailedMails,
  retryOldestFailure,
  retryStalledMails,
} from './queue-store.ts';

export type MailJob = {
  readonly id: string;
  readonly request: MailRequest;
  /** What its kind has loaded for this attempt. */
  readonly loaded: unknown;
  readonly queuedAt: Date;
  readonly retryCount: number;
  /** Mail stands still, and this one shows whether the provider accepts the sender again. */
  readonly isProbe: boolean;
};

/** Is stored without the text of the mail server, which often quotes addresses. */
type AttemptResult = {
  readonly outcome: MailOutcome;
  readonly responseCode?: number | undefined;
  readonly cause?: string | undefined;
};

export type MailQueue = Awaited<ReturnType<typeof openMailQueue>>;

const RETRY_STALLED_EVERY_MS = 5_000;
const SENT_BATCHES = { maxBatchSize: 64, maxWaiting: 1024, maxWaitMs: 60_000 };
/** How often pg-boss looks for jobs of dead servers. The embedded engine has only one server. */
const SUPERVISE_EVERY_S = { embedded: 300, postgres: 10 };
/** Slows features of pg-boss that poll every few seconds and are not used. */
const UNUSED_EVERY_S = 3600;

export async function openMailQueue(
  database: Database,
  options: {
    readonly kinds: MailKinds;
    readonly mailsPerSecond: number;
    readonly limits?: MailLimits;
    readonly reachesMembers?: boolean;
    readonly onError: (error: unknown) => void;
  },
) {
  const { kinds, limits = { hourly: null, daily: null }, reachesMembers = true } = options;
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
    ...(database.engine === 'embedded' && {
      backend: 'pglite' as const,
      reindex: false,
      monitorVacuum: false,
    }),
  });
  boss.on('error', options.onError);
  await boss.start();
  if (database.engine === 'embedded') await release(database);
  let stalledCheckedAt = performance.now();
  let isLow = true;

  /** Few transactions at a time: joins need connections of the pool, too. */
  const delivered = openBatcher<{ job: MailJob; outcome: 'sent' | 'kept' }, null>({
    ...SENT_BATCHES,
    maxInFlight: database.engine === 'embedded' ? 1 : 4,
    async runBatch(settled) {
      const jobs = settled.map(({ job }) => job);
      // Without a mail server, all mails of this server are kept.
      const outcome = settled[0]?.outcome ?? 'sent';
      await settleKinds(jobs, outcome);
      await boss.complete(MAIL_QUEUE, jobs.map(attemptOf), { outcome });
      return jobs.map(() => null);
    },
  });

  /** Comes first: after a crash the queue has the mail again, which its kind then drops. */
  async function settleKinds(jobs: readonly MailJob[], outcome: MailOutcome): Promise<void> {
    for (const [settle, mails] of Map.groupBy(jobs, (job) => kindOf(kinds, job.request).settle))
      await settle?.(database, mails, { outcome, reachesMembers });
  }

  async function queueWaiting(room: number): Promise<number> {
    let queued = 0;
    for (const kind of Object.values(kinds))
      queued += (await kind.queueWaiting?.(database, room - queued)) ?? 0;
    return queued;
  }

  async function addContents(jobs: readonly Omit<MailJob, 'loaded'>[]): Promise<MailJob[]> {
    const groups = Map.groupBy(jobs, ({ request }) => kindOf(kinds, request).load);
    const loaded = new Map<MailRequest, unknown>();
    for (const [load, group] of groups) {
      const requests = group.map(({ request }) => request);
      const contents = (await load?.(database, requests)) ?? [];
      for (const [index, request] of requests.entries()) loaded.set(request, contents[index]);
    }
    return jobs.map((job) => ({ ...job, loaded: loaded.get(job.request) ?? null }));
  }

  return {
    async take(most: number): Promise<MailJob[]> {
      if (!(await mayAct(database))) return [];
      const { mails, minPriority, isProbe } = await readAllowance(database, limits);
      const options = { includeMetadata: true, minPriority } as const;
      const fetchDue = (batchSize: number) =>
        boss.fetch<MailRequest>(MAIL_QUEUE, { ...options, batchSize });
      const limit = Math.min(most, mails);
      if (limit < 1) return [];
      // Mail waits in the outbox until pg-boss has little of its kind: a fetch may sort all of it.
      if (isLow) await queueOutbox(database);
      const jobs = await fetchDue(limit);
      if (jobs.length < limit && !isLow) {
        await queueOutbox(database);
        jobs.push(...(await fetchDue(limit - jobs.length)));
      }
      isLow = jobs.filter(({ priority }) => priority > 0).length < limit;
      const hasRoom = jobs.length < limit;
      if (hasRoom && isProbe) {
        await retryOldestFailure(database);
        jobs.push(...(await fetchDue(limit)));
      }
      if (hasRoom && performance.now() - stalledCheckedAt >= RETRY_STALLED_EVERY_MS) {
        stalledCheckedAt = performance.now();
        await retryStalledMails(database);
      }
      // No more than are taken at once, so that mails to new members come before a campaign's.
      const room = minPriority < 0 ? limit - jobs.length : 0;
      if (room > 0 && (await queueWaiting(room)) > 0) jobs.push(...(await fetchDue(room)));
      // Nothing could show that the sender is accepted again, and offers would never begin.
      if (isProbe && jobs.length === 0) await endRefusal(database);
      return await addContents(
        jobs.map(({ id, data, createdOn, retryCount }) => {
          return { id, request: data, queuedAt: createdOn, retryCount, isProbe };
        }),
      );
    },
    async sendHeartbeat(jobs: readonly MailJob[]): Promise<void> {
      await boss.touch(MAIL_QUEUE, jobs.map(attemptOf));
    },
    async settle(job: MailJob, result: AttemptResult): Promise<void> {
      const { outcome } = result;
      if (outcome === 'sent' || outcome === 'kept') {
        await delivered.submit({ job, outcome });
        return;
      }
      if (outcome === 'later') {
        await boss.fail(MAIL_QUEUE, attemptOf(job), result);
        return;
      }
      await settleKinds([job], outcome);
      await boss.complete(MAIL_QUEUE, attemptOf(job), result);
      if (outcome === 'refused' || outcome === 'given_up') await keepUndelivered(database, job);
    },
    retryNow: (which?: Parameters<typeof retryFailedMails>[1]) => retryFailedMails(database, which),
    release: (jobs: readonly MailJob[]) => release(database, jobs),
    putOff: (job: MailJob) => putOff(database, job),
    reserveSlots: (count: number) =>
      reserveSlots(database, count, { ...limits, intervalMs: 1000 / options.mailsPerSecond }),
    noteRefusal: (refusedWith: string) => noteRefusal(database, refusedWith),
    endRefusal: () => endRefusal(database),
    probeAgain: () => probeAgain(database),
    mayBegin: async ({ request }: MailJob) =>
      (await kindOf(kinds, request).mayBegin?.(database, request)) ?? true,
    readBacklog: () => readBacklog(database),
    noteProbe: (isUp: boolean) => noteProbe(database, isUp),
    close: () => boss.stop({ graceful: false }),
  };
}

/** A server wrongly taken for dead must not settle a job that was taken over since. */
function attemptOf({ id, retryCount }: MailJob) {
  return { id, retryCount };
}
