/** Takes mails from the queue and delivers them at the configured rate. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { GIVE_UP_AFTER_MS } from '../../db/schema/queue-schema.ts';
import { getRecipients } from '../../line/get-recipients.ts';
import { composeLetter, type LetterOptions } from '../letter-rules.ts';
import type { MailJob, MailQueue, Outcome } from '../queue.ts';
import { findSuppressed } from '../suppression/store.ts';
import type { OutcomeReport } from './mail-metrics.ts';
import { openSmtpHealth } from './smtp-health.ts';
import {
  CONNECTIONS,
  judgeFailure,
  type Letter,
  type MailTransport,
  mayMeanServerDown,
  readFailure,
  type SmtpFailure,
} from './transport.ts';

export type MailSenderOptions = {
  readonly database: Database;
  readonly queue: MailQueue;
  readonly transport: MailTransport;
  readonly letters: LetterOptions;
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

type ComposedMail = { readonly job: MailJob; readonly letter: Letter };

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
  const { database, queue, transport, letters, onOutcome, onError } = options;
  const health = openSmtpHealth({
    probe: transport.probe,
    onUp: (wasDown) =>
      void queue.retryNow(wasDown ? undefined : MAX_FAST_RETRIES).then(wake, onError),
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  let sleep = new AbortController();
  let isAwake = false;

  async function run(): Promise<void> {
    // The previous process may have ended while the mail server was down.
    await queue.retryNow().catch(onError);
    while (!signal.aborted) {
      isAwake = false;
      const taken = await sendRound().catch((error) => {
        onError(error);
        return 0;
      });
      const isDown = health.isDown();
      if (isDown || (taken < CONNECTIONS && !isAwake)) {
        sleep = new AbortController();
        const sleepMs = isDown ? POLL_EVERY_MS_WHILE_DOWN : POLL_EVERY_MS;
        const either = AbortSignal.any([signal, sleep.signal]);
        await delay(sleepMs, null, { signal: either }).catch(() => {});
      }
    }
  }

  function wake(): void {
    if (health.isDown()) return;
    isAwake = true;
    // Every abort creates an error with a stack trace, and joins call this.
    if (!sleep.signal.aborted) sleep.abort();
  }

  /** Each mail is settled on its own, so that a crash repeats only those in flight. */
  async function sendRound(): Promise<number> {
    const jobs = await queue.take(CONNECTIONS);
    if (jobs.length === 0) return 0;
    const heartbeat = setInterval(
      () => void queue.sendHeartbeat(jobs).catch(onError),
      HEARTBEAT_EVERY_MS,
    );
    try {
      const { mails, slots } = await prepare(jobs);
      const sent = await Promise.allSettled(mails.map((mail, at) => sendAt(slots[at] ?? 0, mail)));
      for (const each of sent) if (each.status === 'rejected') onError(each.reason);
    } finally {
      clearInterval(heartbeat);
    }
    return jobs.length;
  }

  async function prepare(jobs: readonly MailJob[]) {
    try {
      const mails = await composeAll(jobs);
      return { mails, slots: await queue.reserveSlots(mails.length) };
    } catch (error) {
      await queue.release(jobs);
      throw error;
    }
  }

  async function composeAll(jobs: readonly MailJob[]): Promise<ComposedMail[]> {
    const recipients = await getRecipients(
      database,
      jobs.map(({ request }) => request.memberId),
    );
    const identities = [...recipients.values()].map(({ identity }) => identity);
    const suppressed = await findSuppressed(database, letters.secretKey, identities);
    const composed: ComposedMail[] = [];
    for (const job of jobs) {
      const recipient = recipients.get(job.request.memberId);
      const letter = recipient === undefined ? null : composeLetter(letters, job, recipient);
      const isSuppressed = recipient !== undefined && suppressed.has(recipient.identity);
      if (letter !== null && !isSuppressed) composed.push({ job, letter });
      else await settle(job, isSuppressed ? 'suppressed' : 'obsolete');
    }
    return composed;
  }

  async function sendAt(inMs: number, { job, letter }: ComposedMail): Promise<void> {
    const isDue = await delay(inMs, true, { signal }).catch(() => false);
    if (!isDue) return await queue.release([job]);
    try {
      await transport.send(letter);
    } catch (error) {
      const failure = readFailure(error);
      if (mayMeanServerDown(failure)) health.suspect();
      const ageMs = Date.now() - job.queuedAt.getTime();
      const outcome = judgeFailure(failure, { ageMs, giveUpAfterMs: GIVE_UP_AFTER_MS });
      return await settle(job, outcome, failure);
    }
    await settleSent(job);
  }

  /** Unsettled, the mail would be sent twice: be patient with a database that is failing over. */
  async function settleSent(job: MailJob): Promise<void> {
    const deadline = performance.now() + SETTLE_PATIENCE_MS;
    for (;;) {
      try {
        return await settle(job, 'sent');
      } catch (error) {
        if (signal.aborted || performance.now() > deadline) throw error;
        await delay(SETTLE_RETRY_MS);
      }
    }
  }

  async function settle(job: MailJob, outcome: Outcome, failure?: SmtpFailure): Promise<void> {
    const responseCode = failure?.responseCode;
    await queue.settle(job, { outcome, ...(responseCode && { responseCode }) });
    onOutcome(outcome, job, failure);
  }

  const running = run();
  return {
    wake,
    async stop() {
      stopping.abort();
      health.stop();
      await Promise.race([running, delay(STOP_PATIENCE_MS, null, { ref: false })]);
    },
  };
}
