/** The mail queue, in pg-boss's tables. A job holds a member id and a kind, never an address. */

import { PgBoss } from 'pg-boss';
import type { EntryMailKind, MailKind, OfferMailKind } from '../../../contract/mails.ts';
import { openBatcher } from '../../db/batcher.ts';
import type { Database } from '../../db/database.ts';
import { mayAct } from '../../db/possible-copy.ts';
import { run } from '../../db/rows.ts';
import { MAIL_QUEUE } from '../../db/schema/queue-schema.ts';
import { beginTimes } from '../../drop/offers/offer-store.ts';
import { getNextFreeze, type NextFreeze } from '../../drop/schedule/schedule.ts';
import { getMailedEntries, type MailedEntry } from '../../drop/till/get-entries.ts';
import {
  findReturning,
  getMailedDraw,
  getMailedOffers,
  type MailedDraw,
  type MailedOffer,
} from '../../drop/views/get-offers.ts';
import type { Recipient } from '../../line/get-recipients.ts';
import { readStandingsBefore } from '../../line/store.ts';
import type { MailOutcome } from '../../mail/delivery/smtp-failure-rules.ts';
import { getRewardCodes } from '../../rewards/rewards.ts';
import {
  isSending,
  queueCampaignMails,
  readCampaignTexts,
  settleCampaignMails,
} from '../campaigns/campaign-store.ts';
import type { ParsedText } from '../campaigns/campaign-text.ts';
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

export type MailRequest =
  | NewsRequest
  | { readonly kind: 'campaign'; readonly memberId: string; readonly campaign: number };

export type NewsRequest =
  | { readonly kind: PlainKind; readonly memberId: string; readonly byOperator?: true }
  | { readonly kind: 'friends'; readonly memberId: string; readonly newFriends: number }
  | { readonly kind: 'tier'; readonly memberId: string; readonly level: number }
  | { readonly kind: RewardKind; readonly memberId: string; readonly level: number }
  | OfferMail
  | EntryMail
  | { readonly kind: 'top100'; readonly memberId: string; readonly isInside: boolean };

export type OfferMail = {
  readonly kind: OfferMailKind;
  readonly memberId: string;
  readonly offerId: string;
  readonly note?: string;
};

export type EntryMail = {
  readonly kind: EntryMailKind;
  readonly memberId: string;
  readonly entry: true;
};

type RewardKind = 'reward' | 'reward-code';
type PlainKind = Exclude<
  MailKind,
  'friends' | 'tier' | RewardKind | 'top100' | OfferMailKind | EntryMailKind | 'campaign'
>;

export type MailJob = {
  readonly id: string;
  readonly request: MailRequest;
  /** Null when the member should not get the mail of a campaign. */
  readonly campaignText: ParsedText | null;
  readonly offer: MailedOffer | null;
  readonly entry: MailedEntry | null;
  readonly rewardCode: string | null;
  readonly freeze: NextFreeze;
  /** For "not-chosen": a mask that nobody takes may still come to the member. */
  readonly canReturn: boolean;
  readonly draw: MailedDraw | null;
  /** For "friends": the member's standing without them. */
  readonly before: Pick<Recipient, 'position' | 'referralCount'> | null;
  readonly queuedAt: Date;
  readonly retryCount: number;
  /** Mail stands still, and this one shows whether the provider accepts the sender again. */
  readonly isProbe: boolean;
};

type TakenJob = Pick<MailJob, 'id' | 'request' | 'queuedAt' | 'retryCount' | 'isProbe'>;

/** Is stored without the text of the mail server, which often quotes addresses. */
type AttemptResult = {
  readonly outcome: MailOutcome;
  readonly responseCode?: number | undefined;
  readonly cause?: string | undefined;
};

/** Campaigns among them: an operator's mail about a freeze or a draw has its hash. */
const isAboutDrop = ({ request }: Pick<MailJob, 'request'>) =>
  'offerId' in request ||
  'entry' in request ||
  request.kind === 'not-chosen' ||
  request.kind === 'campaign';

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
    readonly mailsPerSecond: number;
    readonly limits?: MailLimits;
    /** False where nobody gets the mails of offers: then no time of one begins. */
    readonly beginsOffers?: boolean;
    readonly onError: (error: unknown) => void;
  },
) {
  const { limits = { hourly: null, daily: null }, beginsOffers = true } = options;
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
      await settleCampaigns(jobs, outcome);
      await beginOffers(jobs);
      await boss.complete(MAIL_QUEUE, jobs.map(attemptOf), { outcome });
      return jobs.map(() => null);
    },
  });

  /** Comes first: after a crash the queue has the mail again, whose text is null by then. */
  const settleCampaigns = (jobs: readonly MailJob[], outcome: MailOutcome) =>
    settleCampaignMails(database, campaignMailsOf(jobs), outcome);

  /** Comes first, too. A mail that is given up begins the time, so that the mask goes on. */
  async function beginOffers(jobs: readonly MailJob[]): Promise<void> {
    const begun = jobs.flatMap(({ request, offer }) =>
      'offerId' in request && offer?.times ? [{ id: request.offerId, ...offer.times }] : [],
    );
    if (beginsOffers && begun.length > 0) await beginTimes(database, begun);
  }

  async function addContents(jobs: readonly TakenJob[]): Promise<MailJob[]> {
    if (jobs.length === 0) return [];
    const offerIds = jobs.flatMap(({ request }) => ('offerId' in request ? [request.offerId] : []));
    const offers = await getMailedOffers(database, offerIds);
    const entrants = jobs.flatMap(({ request }) => ('entry' in request ? [request.memberId] : []));
    const entries = await getMailedEntries(database, entrants);
    const rewards = jobs.flatMap(({ request }) => ('level' in request ? [request] : []));
    const codes = await getRewardCodes(database, rewards);
    const gains = jobs.flatMap(({ request }) => ('newFriends' in request ? [request] : []));
    const standings = gains.length > 0 ? await readStandingsBefore(database, gains) : null;
    const texts = await readCampaignTexts(database, campaignMailsOf(jobs));
    const notChosen = jobs.flatMap(({ request }) => {
      return request.kind === 'not-chosen' ? [request.memberId] : [];
    });
    const returning = await findReturning(database, notChosen);
    const freeze = await getNextFreeze(database);
    const draw = jobs.some(isAboutDrop) ? await getMailedDraw(database) : null;
    return jobs.map((job) => ({
      ...job,
      draw: isAboutDrop(job) ? draw : null,
      campaignText: texts.get(job.request) ?? null,
      offer: 'offerId' in job.request ? (offers.get(job.request.offerId) ?? null) : null,
      entry: 'entry' in job.request ? (entries.get(job.request.memberId) ?? null) : null,
      rewardCode: codes.get(job.request) ?? null,
      freeze,
      canReturn: returning.has(job.request.memberId),
      before: standings?.get(job.request) ?? null,
    }));
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
      if (room > 0 && (await queueCampaignMails(database, room)) > 0)
        jobs.push(...(await fetchDue(room)));
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
      await settleCampaigns([job], outcome);
      await beginOffers([job]);
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
    /** False for the rest of a campaign that is being cancelled. */
    mayBegin: async ({ request }: Pick<MailJob, 'request'>) =>
      request.kind !== 'campaign' || (await isSending(database, request.campaign)),
    readBacklog: () => readBacklog(database),
    noteProbe: (isUp: boolean) => noteProbe(database, isUp),
    close: () => boss.stop({ graceful: false }),
  };
}

export async function queueMails(
  kysely: Database['kysely'],
  mails: readonly MailRequest[],
): Promise<void> {
  if (mails.length === 0) return;
  const texts = mails.map((mail) => JSON.stringify(mail));
  await run(kysely)`select queue_mails(${texts}::text[]::jsonb[])`;
}

function campaignMailsOf(jobs: readonly Pick<MailJob, 'request'>[]) {
  return jobs.flatMap(({ request }) => (request.kind === 'campaign' ? [request] : []));
}

/** A server wrongly taken for dead must not settle a job that was taken over since. */
function attemptOf({ id, retryCount }: MailJob) {
  return { id, retryCount };
}
