/** The mail queue, in pg-boss's tables. A job holds a member id and a kind, never an address. */
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { MailKind, OfferMailKind } from '../../../contract/mails.ts';
import { openBatcher } from '../../db/batcher.ts';
import type { Database } from '../../db/database.ts';
import { KEEP_UNDELIVERED_S, MAIL_QUEUE } from '../../db/schema/queue-schema.ts';
import {
  findReturning,
  getMailedDraw,
  getMailedOffers,
  type MailedDraw,
  type MailedOffer,
} from '../../drop/offers/get-offers.ts';
import { beginTimes } from '../../drop/offers/times-store.ts';
import { getNextFreeze, type NextFreeze } from '../../drop/schedule/next-freeze.ts';
import type { MailOutcome } from '../../mail/delivery/smtp-failure-rules.ts';
import { getRewardCodes } from '../../rewards/rewards.ts';
import {
  queueCampaignMails,
  readCampaignTexts,
  settleCampaignMails,
} from '../campaigns/campaign-store.ts';
import type { CampaignText } from '../campaigns/campaign-text.ts';
import { readBacklog } from './backlog-store.ts';

/** The stored part of a mail; everything else is read when it is sent. */
export type MailRequest =
  | NewsRequest
  | { readonly kind: 'campaign'; readonly memberId: string; readonly campaign: number };

export type NewsRequest =
  | { readonly kind: PlainKind; readonly memberId: string }
  | { readonly kind: 'friends'; readonly memberId: string; readonly newFriends: number }
  | { readonly kind: 'tier'; readonly memberId: string; readonly level: number }
  | { readonly kind: RewardKind; readonly memberId: string; readonly level: number }
  | OfferMail
  | { readonly kind: 'top100'; readonly memberId: string; readonly isInside: boolean };

export type OfferMail = {
  readonly kind: OfferMailKind;
  readonly memberId: string;
  readonly offerId: string;
  /** Reason of a cancelled pass, as an operator wrote it. */
  readonly note?: string;
};

type RewardKind = 'reward' | 'reward-code';
type PlainKind = Exclude<
  MailKind,
  'friends' | 'tier' | RewardKind | 'top100' | OfferMailKind | 'campaign'
>;

export type MailJob = {
  /** The same in every attempt. */
  readonly id: string;
  readonly request: MailRequest;
  /** Null when the member should not get the mail of a campaign. */
  readonly campaignText: CampaignText | null;
  readonly offer: MailedOffer | null;
  readonly rewardCode: string | null;
  readonly freeze: NextFreeze;
  /** For "not-chosen": a mask that nobody takes may still come to the member. */
  readonly canReturn: boolean;
  /** Null for mails that are not about a drop. */
  readonly draw: MailedDraw | null;
  readonly queuedAt: Date;
  readonly retryCount: number;
};

/** Is stored without the text of the mail server, which often quotes addresses. */
type AttemptResult = {
  readonly outcome: MailOutcome;
  readonly responseCode?: number | undefined;
  readonly cause?: string | undefined;
};

/** Campaigns among them: an operator's mail about a freeze or a draw has its hash. */
const isAboutDrop = ({ request }: Pick<MailJob, 'request'>) =>
  'offerId' in request || request.kind === 'not-chosen' || request.kind === 'campaign';

export type MailQueue = Awaited<ReturnType<typeof openMailQueue>>;

const RETRY_STALLED_EVERY_MS = 5_000;
/** After three worker crashes on one mail, use the normal back-off. */
const MAX_FAST_CRASH_RETRIES = 3;
const OUTBOX_BATCH_SIZE = 64;
const SENT_BATCHES = { maxBatchSize: 64, maxWaiting: 1024, maxWaitMs: 60_000 };
/** How often pg-boss looks for jobs of dead servers. The embedded engine has only one server. */
const SUPERVISE_EVERY_S = { embedded: 300, postgres: 10 };
/** Slows features of pg-boss that poll every few seconds and are not used. */
const UNUSED_EVERY_S = 3600;
/** Longer than one server waits for another one's reservation. */
const CLOCK_TOLERANCE_S = 5;
/** Slots that passed while a busy server was late to reserve them are used all the same. */
const MAX_BEHIND_S = 0.25;

export async function openMailQueue(
  database: Database,
  options: { mailsPerSecond: number; onError: (error: unknown) => void },
) {
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

  const fetchDue = (limit: number) =>
    boss.fetch<MailRequest>(MAIL_QUEUE, { batchSize: limit, includeMetadata: true });

  /** Few transactions at a time: joins need connections of the pool, too. */
  const sent = openBatcher<MailJob, null>({
    ...SENT_BATCHES,
    maxInFlight: database.engine === 'embedded' ? 1 : 4,
    async runBatch(jobs) {
      await settleCampaigns(jobs, 'sent');
      await beginOffers(jobs);
      await boss.complete(MAIL_QUEUE, jobs.map(attemptOf), { outcome: 'sent' });
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
    if (begun.length > 0) await beginTimes(database, begun);
  }

  async function addContents(
    jobs: readonly Pick<MailJob, 'id' | 'request' | 'queuedAt' | 'retryCount'>[],
  ): Promise<MailJob[]> {
    if (jobs.length === 0) return [];
    const offerIds = jobs.flatMap(({ request }) => ('offerId' in request ? [request.offerId] : []));
    const offers = await getMailedOffers(database, offerIds);
    const rewards = jobs.flatMap(({ request }) => ('level' in request ? [request] : []));
    const codes = await getRewardCodes(database, rewards);
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
      rewardCode: codes.get(job.request) ?? null,
      freeze,
      canReturn: returning.has(job.request.memberId),
    }));
  }

  return {
    async take(limit: number): Promise<MailJob[]> {
      // Mail waits in the outbox until pg-boss has little: a fetch may sort all that is due.
      if (isLow) await queueOutbox(database);
      const jobs = await fetchDue(limit);
      if (jobs.length < limit && !isLow) {
        await queueOutbox(database);
        jobs.push(...(await fetchDue(limit - jobs.length)));
      }
      isLow = jobs.length < limit;
      if (isLow && performance.now() - stalledCheckedAt >= RETRY_STALLED_EVERY_MS) {
        stalledCheckedAt = performance.now();
        await retryStalledMails(database);
      }
      // No more than are taken at once, so that mails to new members come before a campaign's.
      if (isLow && (await queueCampaignMails(database, limit - jobs.length)) > 0)
        jobs.push(...(await fetchDue(limit - jobs.length)));
      return await addContents(
        jobs.map(({ id, data, createdOn, retryCount }) => {
          return { id, request: data, queuedAt: createdOn, retryCount };
        }),
      );
    },
    async sendHeartbeat(jobs: readonly MailJob[]): Promise<void> {
      await boss.touch(MAIL_QUEUE, jobs.map(attemptOf));
    },
    /** For `later`, schedules the next attempt with back-off; otherwise ends the job. */
    async settle(job: MailJob, result: AttemptResult): Promise<void> {
      const { outcome } = result;
      if (outcome !== 'sent' && outcome !== 'later') {
        await settleCampaigns([job], outcome);
        await beginOffers([job]);
      }
      if (outcome === 'sent') await sent.submit(job);
      else if (outcome === 'later') await boss.fail(MAIL_QUEUE, attemptOf(job), result);
      else await boss.complete(MAIL_QUEUE, attemptOf(job), result);
      if (outcome === 'refused' || outcome === 'given_up') await keepUndelivered(database, job);
    },
    retryNow: (maxRetries?: number) => retryFailedMails(database, maxRetries),
    release: (jobs: readonly MailJob[]) => release(database, jobs),
    reserveSlots: (count: number) => reserveSlots(database, count, 1000 / options.mailsPerSecond),
    readBacklog: () => readBacklog(database),
    /** For the sweep of offers on any server, which waits while the mail server is down. */
    async noteProbe(isUp: boolean): Promise<void> {
      await sql`
        update mail_pace set failed_at = case when not ${isUp}::boolean then clock_timestamp() end
      `.execute(database.kysely);
    },
    close: () => boss.stop({ graceful: false }),
  };
}

export async function queueMails(
  kysely: Database['kysely'],
  mails: readonly MailRequest[],
): Promise<void> {
  const texts = mails.map((mail) => JSON.stringify(mail));
  await sql`select queue_mails(${texts}::text[]::jsonb[])`.execute(kysely);
}

function campaignMailsOf(jobs: readonly Pick<MailJob, 'request'>[]) {
  return jobs.flatMap(({ request }) => (request.kind === 'campaign' ? [request] : []));
}

/** A server wrongly taken for dead must not settle a job that was taken over since. */
function attemptOf({ id, retryCount }: MailJob) {
  return { id, retryCount };
}

/** Joins write one outbox row a batch, which costs a visitor less time than one job per member. */
async function queueOutbox({ kysely }: Database): Promise<void> {
  await sql`select queue_batched_mails(${OUTBOX_BATCH_SIZE})`.execute(kysely);
}

/** Without `jobs`, releases all: those of a process that has ended. */
async function release({ kysely }: Database, jobs?: readonly MailJob[]): Promise<void> {
  const ids = jobs?.map(({ id }) => id) ?? null;
  await sql`
    update pgboss.job set state = 'retry', start_after = now()
    where name = ${MAIL_QUEUE} and state = 'active'
      and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))
  `.execute(kysely);
}

/** Makes mails due whose failure had no SMTP response, or 421: neither is about the mail. */
async function retryFailedMails({ kysely }: Database, maxRetries = 1_000_000): Promise<void> {
  await sql`
    update pgboss.job set start_after = now()
    where name = ${MAIL_QUEUE} and state = 'retry' and not blocked and start_after > now()
      and retry_count < ${maxRetries}
      and output->>'outcome' = 'later' and coalesce(output->>'responseCode', '421') = '421'
  `.execute(kysely);
}

/** The operator may look weeks later; pg-boss deletes other mails after some days. */
async function keepUndelivered({ kysely }: Database, { id }: MailJob): Promise<void> {
  await sql`
    update pgboss.job set deletion_seconds = ${KEEP_UNDELIVERED_S}
    where name = ${MAIL_QUEUE} and id = ${id}::uuid and state = 'completed'
  `.execute(kysely);
}

/**
 * Retries mails that would wait too long: all times of a job lie ahead once the clock was set back,
 * and after a server died pg-boss backs off as after a refusal.
 */
async function retryStalledMails({ kysely }: Database): Promise<void> {
  await sql`
    update pgboss.job set start_after = now()
    where name = ${MAIL_QUEUE} and state < 'active' and not blocked and start_after > now()
      and (coalesce(started_on, created_on) > now() + interval '5 seconds'
        or (output->'value'->>'message' = 'job heartbeat timeout'
          and retry_count < ${MAX_FAST_CRASH_RETRIES}))
  `.execute(kysely);
}

/**
 * Reserves slots of the rate limit: milliseconds from now for each, negative for those just passed.
 * One row of the database paces all servers. A reservation in the future was made before the clock
 * was set back; how far ahead the next slot is says nothing, as any number of servers reserve.
 */
async function reserveSlots(
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
