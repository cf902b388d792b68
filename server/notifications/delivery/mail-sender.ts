/** Takes mails from the queue and delivers them at the configured rate. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { GIVE_UP_AFTER_MS } from '../../db/schema/queue-schema.ts';
import { getRecipients, type Recipient } from '../../line/get-recipients.ts';
import { openPace } from '../../mail/delivery/pace.ts';
import {
  judgeFailure,
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
import { findSuppressed, linkSuppression } from '../../mail/suppression/store.ts';
import { type ComposeOptions, composeMail } from '../mail-content-rules.ts';
import type { MailFailure, OutcomeReport } from './mail-metrics.ts';
import type { MailJob, MailQueue } from './queue.ts';

export type MailSenderOptions = {
  readonly database: Database;
  readonly queue: MailQueue;
  readonly transport: MailTransport;
  readonly mailsPerSecond: number;
  readonly composing: ComposeOptions;
  readonly onOutcome: OutcomeReport;
  /** A query failed; it is tried again. */
  readonly onError: (error: unknown) => void;
};

export type MailSender = {
  /** Checks the queue at once instead of at the next poll. */
  wake(): void;
  /** Takes no more mails, releases those not begun and waits a while for the others. */
  stop(): Promise<void>;
};

/** How an attempt ended. */
type Settlement = {
  readonly job: MailJob;
  readonly outcome: MailOutcome;
  readonly failure?: MailFailure;
};
type AddressedMail = { readonly job: MailJob; readonly recipient: Recipient };
/** When the recipient was read, and when the mail may leave, as `performance.now()` counts. */
type ScheduledMail = AddressedMail & { readonly readAt: number; readonly dueAt: number };

/** Mails taken at a time: a quarter of a second of the rate, so that queries are few and small. */
const TAKE_SECONDS = 0.25;
const MAX_TAKEN = 20;
/** With a slot further ahead the recipient is read again: they may have left or unsubscribed. */
const MAX_FRESH_MS = 1_000;
/** The same for a mail that is late; longer, so that an overloaded server does not read more. */
const MAX_FRESH_MS_WHEN_LATE = 10_000;
/** Bounds what a crash repeats: the mail of each connection, and the one before it. */
const MAX_UNSETTLED = 2 * CONNECTIONS;
const POLL_EVERY_MS = 1_000;
/** While the server is down. Not never: mails that are a day old are still reported as given up. */
const POLL_EVERY_MS_WHILE_DOWN = 60_000;
/** If the server was never down, the mail itself may break the connection: back off after this. */
const MAX_FAST_RETRIES = 3;
/** A third of the heartbeat time-out, after which other servers take a job over. */
const HEARTBEAT_EVERY_MS = 6_000;
/** Less than the heartbeat time-out. */
const SETTLE_PATIENCE_MS = 15_000;
const SETTLE_RETRY_MS = 250;
/** Anything still hanging then is sent again after the next start, with the same Message-ID. */
const STOP_PATIENCE_MS = 5_000;

export function startMailSender(options: MailSenderOptions): MailSender {
  const { database, queue, transport, mailsPerSecond, composing, onOutcome, onError } = options;
  const takeSize = Math.min(MAX_TAKEN, Math.max(1, Math.round(mailsPerSecond * TAKE_SECONDS)));
  const health = openSmtpHealth({
    probe: transport.probe,
    onUp: (wasDown) =>
      void queue.retryNow(wasDown ? undefined : MAX_FAST_RETRIES).then(wake, onError),
  });
  const pace = openPace(1000 / mailsPerSecond);
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Taken and not settled yet. */
  const held = new Set<MailJob>();
  /** Each has a connection. */
  const delivering = new Set<Promise<Settlement | null>>();
  /** These, and mails whose settlement is on its way to the disk. */
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
    const jobs = await queue.take(takeSize);
    if (jobs.length === 0) return { taken: 0, mails: [] };
    for (const job of jobs) held.add(job);
    try {
      const addressed = await addressAll(jobs);
      const slots = await queue.reserveSlots(addressed.length);
      const readAt = performance.now();
      const mails = addressed.map((mail, index) => {
        return { ...mail, readAt, dueAt: readAt + (slots[index] ?? 0) };
      });
      return { taken: jobs.length, mails };
    } catch (error) {
      await release(jobs);
      throw error;
    }
  }

  /** Settles mails that nobody is to get, and returns the others. */
  async function addressAll(jobs: readonly MailJob[]): Promise<AddressedMail[]> {
    const recipients = await getRecipients(
      database,
      jobs.map(({ request }) => request.memberId),
    );
    const identities = [...recipients.values()].map(({ identity }) => identity);
    const suppressed = await findSuppressed(database, composing.secretKey, identities);
    const addressed: AddressedMail[] = [];
    for (const job of jobs) {
      const recipient = recipients.get(job.request.memberId);
      if (recipient === undefined) await settle(job, 'obsolete');
      else if (suppressed.has(recipient.identity)) {
        await linkSuppression(database, composing.secretKey, recipient);
        await settle(job, 'suppressed');
      } else addressed.push({ job, recipient });
    }
    return addressed;
  }

  /** Returns when the last one has begun: a slow conversation keeps one connection, not all. */
  async function sendInOrder(mails: readonly ScheduledMail[]): Promise<void> {
    for (const [index, mail] of mails.entries()) {
      const plannedAt = pace.next(mail.dueAt);
      await waitUntil(plannedAt);
      await waitForSlot();
      if (signal.aborted) return await release(mails.slice(index).map(({ job }) => job));
      pace.left({ plannedAt, leftAt: performance.now() });
      begin(mail);
    }
  }

  /** A timer counts from the start of an event loop iteration, so it may fire early. */
  async function waitUntil(at: number): Promise<void> {
    for (let ms = at - performance.now(); ms > 0 && !signal.aborted; ms = at - performance.now())
      await delay(Math.ceil(ms), null, { signal }).catch(() => {});
  }

  /** A connection does not wait for the disk: only so many mails may be ahead of it. */
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

  /** Null when the mail is obsolete, and has been settled. */
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
    if (outgoing === null) return { job, outcome: 'obsolete' };
    try {
      await transport.send(outgoing);
    } catch (error) {
      const failure = readFailure(error);
      if (mayMeanServerDown(failure)) health.suspect();
      return judge(job, failure);
    }
    return { job, outcome: 'sent' };
  }

  function judge(job: MailJob, failure: MailFailure): Settlement {
    const ageMs = Date.now() - job.queuedAt.getTime();
    const outcome = judgeFailure(failure, { ageMs, giveUpAfterMs: GIVE_UP_AFTER_MS });
    return { job, outcome, failure };
  }

  /** Unsettled, a mail would be sent twice: be patient with a database that is failing over. */
  async function settlePatiently({ job, outcome, failure }: Settlement): Promise<void> {
    const deadline = performance.now() + SETTLE_PATIENCE_MS;
    for (;;) {
      try {
        return await settle(job, outcome, failure);
      } catch (error) {
        const isFinal = outcome !== 'sent' || signal.aborted || performance.now() > deadline;
        if (isFinal) throw error;
        await delay(SETTLE_RETRY_MS);
      }
    }
  }

  async function settle(job: MailJob, outcome: MailOutcome, failure?: MailFailure): Promise<void> {
    const { cause, responseCode } = failure ?? {};
    await queue.settle(job, {
      outcome,
      ...(responseCode && { responseCode }),
      ...(cause && { cause }),
    });
    held.delete(job);
    onOutcome(outcome, job, failure);
  }

  async function release(jobs: readonly MailJob[]): Promise<void> {
    for (const job of jobs) held.delete(job);
    await queue.release(jobs);
  }

  const heartbeat = setInterval(() => {
    if (held.size > 0) void queue.sendHeartbeat([...held]).catch(onError);
  }, HEARTBEAT_EVERY_MS);
  const running = run();
  return {
    wake,
    async stop() {
      stopping.abort();
      onProgress();
      health.stop();
      await Promise.race([running, delay(STOP_PATIENCE_MS, null, { ref: false })]);
      clearInterval(heartbeat);
    },
  };
}
