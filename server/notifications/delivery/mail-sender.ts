import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { writePatiently } from '../../db/write-patiently.ts';
import { getFrameFacts } from '../../drop/views/get-offers.ts';
import { getRecipients } from '../../line/get-recipients.ts';
import { kindOf } from '../../line/mails/mail-kinds.ts';
import { openRefusalWatch, type Verdict } from '../../mail/delivery/refusal-watch.ts';
import {
  type MailOutcome,
  mayMeanServerDown,
  readFailure,
} from '../../mail/delivery/smtp-failure-rules.ts';
import { openSmtpHealth } from '../../mail/delivery/smtp-health.ts';
import {
  CONNECTIONS,
  type MailTransport,
  type OutgoingMail,
} from '../../mail/delivery/transport.ts';
import { type ComposeOptions, composeMail, type MailedRecipient } from '../compose-mail.ts';
import { admitMails } from '../strangers/admit-mails.ts';
import type { MailFailure, OutcomeReport } from './mail-metrics.ts';
import type { MailJob, MailQueue } from './queue.ts';

export type MailSenderOptions = {
  readonly database: Database;
  readonly queue: MailQueue;
  readonly transport: MailTransport;
  readonly mailsPerSecond: number;
  readonly composing: ComposeOptions;
  readonly onOutcome: OutcomeReport;
  /** Mail begins to stand still, because the provider refuses the sender. */
  readonly onRefusal: (failure: MailFailure) => void;
  readonly onError: (error: unknown) => void;
};

type Settlement = Partial<Pick<Verdict, 'isOfSender' | 'endsStop'>> & {
  readonly job: MailJob;
  readonly outcome: MailOutcome;
  readonly failure?: MailFailure;
  /** Why it was held back. */
  readonly cause?: string;
};
type AddressedMail = { readonly job: MailJob; readonly recipient: MailedRecipient };
/** When the recipient was read, and when the mail may leave, as `performance.now()` counts. */
type ScheduledMail = AddressedMail & { readonly readAt: number; readonly dueAt: number };

const TAKE_SECONDS = 0.25;
const MAX_TAKEN = 20;
/** With a slot further ahead the recipient is read again: they may have left or unsubscribed. */
const MAX_FRESH_MS = 1_000;
/** A mail may be late for longer, so that an overloaded server does not read more. */
const MAX_FRESH_MS_WHEN_LATE = 10_000;
/** Bounds what a crash repeats: the mail of each connection, and the one before it. */
const MAX_UNSETTLED = 2 * CONNECTIONS;
const POLL_EVERY_MS = 1_000;
const POLL_EVERY_MS_WHILE_DOWN = 60_000;
/** After more attempts on a server that was never down, the mail itself may break connections. */
const MAX_FAST_RETRIES = 3;
/** A third of the heartbeat time-out, after which other servers take a job over. */
const HEARTBEAT_EVERY_MS = 6_000;
const SETTLE_PATIENCE_MS = 15_000;
/** A mail that hangs longer is sent again after the next start, with the same Message-ID. */
const STOP_PATIENCE_MS = 5_000;

export function startMailSender(options: MailSenderOptions) {
  const { database, queue, transport, mailsPerSecond, composing, onOutcome, onError } = options;
  const refusals = openRefusalWatch();
  /** Set by each refusal of the sender, until mails may be taken again. */
  let standing: Promise<void> | null = null;
  const takeSize = Math.min(MAX_TAKEN, Math.max(1, Math.round(mailsPerSecond * TAKE_SECONDS)));
  const health = openSmtpHealth({
    probe: transport.probe,
    onUp: (wasDown) => {
      void queue.retryNow(wasDown ? {} : { maxRetries: MAX_FAST_RETRIES }).then(wake, onError);
      void queue.noteProbe(true).catch(onError);
    },
    onDown: () => void queue.noteProbe(false).catch(onError),
  });
  const pace = openPace(1000 / mailsPerSecond);
  const stopping = new AbortController();
  const { signal } = stopping;
  const held = new Set<MailJob>();
  const delivering = new Set<Promise<Settlement | null>>();
  const unsettled = new Set<Promise<void>>();
  let onProgress = () => {};
  let sleep = new AbortController();
  let isAwake = false;

  /** Takes the next mails while the last ones still wait for their slots and connections. */
  async function run(): Promise<void> {
    // The previous process may have ended while the mail server was down.
    await queue.retryNow().catch(onError);
    let begun = Promise.resolve();
    while (!signal.aborted) {
      isAwake = false;
      const { taken, mails } = await takeMails().catch((error) => {
        onError(error);
        return { taken: 0, mails: [] };
      });
      await begun;
      begun = sendInOrder(mails).catch(onError);
      if (taken < takeSize && !isAwake) await rest(POLL_EVERY_MS);
      if (health.isDown()) await rest(POLL_EVERY_MS_WHILE_DOWN);
    }
    await begun;
    await Promise.all(unsettled);
  }

  async function rest(ms: number): Promise<void> {
    sleep = new AbortController();
    const either = AbortSignal.any([signal, sleep.signal]);
    await delay(ms, null, { signal: either }).catch(() => {});
  }

  function wake(): void {
    if (health.isDown()) return;
    isAwake = true;
    // Every abort creates an error with a stack trace, and joins call this.
    if (!sleep.signal.aborted) sleep.abort();
  }

  async function takeMails(): Promise<{ taken: number; mails: ScheduledMail[] }> {
    const known = standing;
    await known;
    const jobs = await queue.take(takeSize);
    if (standing === known && jobs.some(({ isProbe }) => !isProbe)) standing = null;
    if (jobs.length === 0) return { taken: 0, mails: [] };
    for (const job of jobs) held.add(job);
    try {
      const addressed = await addressAll(jobs);
      const slots = await queue.reserveSlots(addressed.length);
      const readAt = performance.now();
      const mails = slots.flatMap((inMs, index) => {
        const mail = addressed[index];
        return mail === undefined ? [] : [{ ...mail, readAt, dueAt: readAt + inMs }];
      });
      await release(addressed.slice(mails.length).map(({ job }) => job));
      return { taken: jobs.length, mails };
    } catch (error) {
      await release(jobs);
      throw error;
    }
  }

  async function addressAll(jobs: readonly MailJob[]): Promise<AddressedMail[]> {
    const ids = jobs.map(({ request }) => request.memberId);
    const recipients = await getRecipients(database, ids);
    const mails = jobs.flatMap((job) => {
      const recipient = recipients.get(job.request.memberId);
      return recipient ? [{ job, recipient }] : [];
    });
    for (const job of jobs)
      if (!recipients.has(job.request.memberId)) await settle({ job, outcome: 'obsolete' });
    const addressed: AddressedMail[] = [];
    const facts = await getFrameFacts(database);
    const verdicts = await admitMails(database, composing, mails);
    for (const mail of mails) {
      const { job, recipient } = mail;
      const verdict = verdicts.get(mail);
      if (verdict?.kind === 'send')
        addressed.push({
          job,
          recipient: { ...recipient, ...facts, isStopped: verdict.isStopped },
        });
      else if (verdict?.kind === 'never')
        await settle({ job, outcome: 'suppressed', cause: verdict.cause });
      else await putOff(job);
    }
    return addressed;
  }

  async function putOff(job: MailJob): Promise<void> {
    held.delete(job);
    await queue.putOff(job);
    if (job.isProbe) await queue.probeAgain();
  }

  /** Returns when the last mail has begun: a slow conversation blocks one connection, not all. */
  async function sendInOrder(mails: readonly ScheduledMail[]): Promise<void> {
    for (const [index, mail] of mails.entries()) {
      const plannedAt = pace.next(mail.dueAt);
      await waitUntil(plannedAt);
      await waitForSlot();
      if (signal.aborted || (standing !== null && !mail.job.isProbe))
        return await release(mails.slice(index).map(({ job }) => job));
      pace.left({ plannedAt, leftAt: performance.now() });
      begin(mail);
    }
  }

  /** A timer counts from the start of an event loop iteration, so it may fire early. */
  async function waitUntil(at: number): Promise<void> {
    for (let ms = at - performance.now(); ms > 0 && !signal.aborted; ms = at - performance.now())
      await delay(Math.ceil(ms), null, { signal }).catch(() => {});
  }

  /** Connections do not wait for the disk, but only so many mails may be ahead of it. */
  async function waitForSlot(): Promise<void> {
    const isFull = () => delivering.size >= CONNECTIONS || unsettled.size >= MAX_UNSETTLED;
    while (isFull() && !signal.aborted)
      await new Promise<void>((resolve) => {
        onProgress = resolve;
      });
  }

  function begin(mail: ScheduledMail): void {
    const delivered: Promise<Settlement | null> = deliver(mail).finally(() => {
      delivering.delete(delivered);
      onProgress();
    });
    delivering.add(delivered);
    const settled: Promise<void> = delivered
      .then((settlement) => settlement && settlePatiently(settlement))
      .catch(onError)
      .then(() => {
        held.delete(mail.job);
        unsettled.delete(settled);
        onProgress();
      });
    unsettled.add(settled);
  }

  /** Null when the recipient was read again, and the mail has been settled. */
  async function deliver(mail: ScheduledMail): Promise<Settlement | null> {
    const isFresh =
      mail.dueAt - mail.readAt < MAX_FRESH_MS &&
      performance.now() - mail.readAt < MAX_FRESH_MS_WHEN_LATE;
    const [addressed] = isFresh ? [mail] : await addressAll([mail.job]);
    if (addressed === undefined) return null;
    const { job, recipient } = addressed;
    let outgoing: OutgoingMail | null;
    try {
      outgoing = composeMail(composing, job, recipient);
    } catch (composeError) {
      return judge(job, { cause: 'not composed', composeError });
    }
    if (outgoing === null || !(await queue.mayBegin(job))) return { job, outcome: 'obsolete' };
    try {
      await transport.send(outgoing);
    } catch (error) {
      const failure = readFailure(error);
      if (mayMeanServerDown(failure)) health.suspect();
      return judge(job, failure);
    }
    refusals.noteAccepted(job.id);
    return { job, outcome: transport.isKeeping ? 'kept' : 'sent' };
  }

  function judge(job: MailJob, failure: MailFailure): Settlement {
    const { id, queuedAt, retryCount, request } = job;
    const ageMs = Date.now() - queuedAt.getTime();
    const { isPatient = false } = kindOf(composing.kinds, request);
    const refused = { id, ageMs, attempts: retryCount + 1, isOffer: isPatient };
    const verdict = refusals.judge(refused, failure);
    if (verdict.isOfSender) standing = standStill(failure);
    return { job, failure, ...verdict };
  }

  async function standStill(failure: MailFailure): Promise<void> {
    const { responseCode, status, cause } = failure;
    const words =
      responseCode === undefined ? cause : [responseCode, status].filter(Boolean).join(' ');
    const isNew = await queue.noteRefusal(words).catch(onError);
    if (isNew) options.onRefusal(failure);
  }

  /** Mail goes on with a probe that is accepted; one that told nothing is followed by another. */
  async function endProbe({ outcome, isOfSender, endsStop }: Settlement): Promise<void> {
    if (outcome === 'sent' || outcome === 'kept') {
      await queue.endRefusal();
      await queue.retryNow({ isOfAll: true });
    } else if (endsStop) await queue.endRefusal();
    else if (!isOfSender && outcome !== 'later') await queue.probeAgain();
    wake();
  }

  async function settlePatiently(settlement: Settlement): Promise<void> {
    const write = () => settle(settlement);
    if (settlement.outcome !== 'sent') await write();
    else await writePatiently(write, { patienceMs: SETTLE_PATIENCE_MS, signal });
  }

  async function settle(settlement: Settlement): Promise<void> {
    const { job, outcome, failure } = settlement;
    const { cause = settlement.cause, responseCode } = failure ?? {};
    await queue.settle(job, { outcome, responseCode, cause });
    held.delete(job);
    if (job.isProbe) await endProbe(settlement);
    onOutcome(outcome, job, failure);
  }

  async function release(jobs: readonly MailJob[]): Promise<void> {
    for (const job of jobs) held.delete(job);
    if (jobs.length > 0) await queue.release(jobs);
  }

  const heartbeat = setInterval(() => {
    if (held.size > 0) void queue.sendHeartbeat([...held]).catch(onError);
  }, HEARTBEAT_EVERY_MS);
  const running = run();
  return {
    wake,
    async stop(): Promise<void> {
      stopping.abort();
      onProgress();
      health.stop();
      await Promise.race([running, delay(STOP_PATIENCE_MS, null, { ref: false })]);
      clearInterval(heartbeat);
    },
  };
}

const TIMER_LATENESS_MS = 10;
/** The least distance of mails that are behind their slots, in intervals. */
const CATCHING_UP = 0.9;

/** Late mails keep nearly the distance of the rate, never a burst. Times are ms of one clock. */
export function openPace(intervalMs: number) {
  let previousAt = Number.NEGATIVE_INFINITY;
  return {
    next: (dueAt: number) => Math.max(dueAt, previousAt + CATCHING_UP * intervalMs),
    left({ plannedAt, leftAt }: { plannedAt: number; leftAt: number }): void {
      previousAt = leftAt - plannedAt > TIMER_LATENESS_MS ? leftAt : plannedAt;
    },
  };
}
