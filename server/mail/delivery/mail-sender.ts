/** Takes mails out of the queue, at the set rate, and hands them over. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Recipient } from '../../waitlist/get-recipients.ts';
import type { MailEnd, MailJob, MailQueue } from '../queue.ts';
import { judgeFailure, maySayServerIsAway, type SmtpFailure } from './delivery-rules.ts';
import { openServerWatch } from './server-watch.ts';
import { CONNECTIONS, type Letter, type MailTransport } from './transport.ts';

/** `obsolete`: the member has left, or what it says has become untrue. */
export type Outcome = 'sent' | 'refused' | 'given_up' | 'later' | 'suppressed' | 'obsolete';

export type MailSenderOptions = {
  readonly queue: MailQueue;
  readonly transport: MailTransport;
  readonly giveUpAfterMs: number;
  /** Recipients of the members that are still there. */
  readonly findRecipients: (memberIds: readonly string[]) => Promise<ReadonlyMap<string, Recipient>>;
  /** Of identities, those that are not written to. */
  readonly findSuppressed: (identities: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Null when there is nothing to say any more. */
  readonly compose: (job: MailJob, recipient: Recipient) => Letter | null;
  /** Milliseconds from now at which each of `count` mails may leave. */
  readonly reserveTimes: (count: number) => Promise<readonly number[]>;
  readonly onOutcome: (outcome: Outcome, job: MailJob, failure?: SmtpFailure) => void;
  /** The database did not do what it was asked; it is asked again. */
  readonly onError: (error: unknown) => void;
};

export type MailSender = {
  /** Looks into the queue now rather than at the next second. */
  wake(): void;
  /** Takes nothing more, hands back what has not begun and waits a while for what has. */
  stop(): Promise<void>;
};

type TimedLetter = { readonly job: MailJob; readonly letter: Letter; readonly inMs: number };

const LOOK_EVERY_MS = 1_000;
/** While no mail server is there: what is a day old is still given up aloud. */
const LOOK_EVERY_MS_AWAY = 60_000;
/** A server that is there again at the first question was away for a moment, or the mail is one that breaks its connection: then it waits. */
const TRIES_IN_HASTE = 3;
const ANY_NUMBER_OF_TRIES = 1_000_000;
/** A third of the time after which a server that says nothing is taken for dead. */
const HOLD_EVERY_MS = 6_000;
/** Shorter than the time after which another server takes the mail for nobody's. */
const NOTE_PATIENCE_MS = 15_000;
const NOTE_AGAIN_AFTER_MS = 250;
/** What still hangs then is sent again after the next start, with the same Message-ID. */
const STOP_PATIENCE_MS = 5_000;

export function startMailSender(options: MailSenderOptions): MailSender {
  const { queue, transport, onOutcome, onError } = options;
  const server = openServerWatch({
    probe: transport.probe,
    onThere: (wasAway) => void queue.hurry(wasAway ? ANY_NUMBER_OF_TRIES : TRIES_IN_HASTE).then(wake, onError),
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  let nap = new AbortController();
  let isAwake = false;

  async function run(): Promise<void> {
    // A server that ended while no mail server was there does not know that one is there now.
    await queue.hurry(ANY_NUMBER_OF_TRIES).catch(onError);
    while (!signal.aborted) {
      isAwake = false;
      const taken = await sendSome().catch((error) => {
        onError(error);
        return 0;
      });
      const isAway = server.isAway();
      if (isAway || (taken < CONNECTIONS && !isAwake)) {
        nap = new AbortController();
        const napMs = isAway ? LOOK_EVERY_MS_AWAY : LOOK_EVERY_MS;
        await pause(napMs, null, { signal: AbortSignal.any([signal, nap.signal]) }).catch(() => {});
      }
    }
  }

  function wake(): void {
    if (server.isAway()) return;
    isAwake = true;
    // Aborting makes an error with its stack, every time: much for a join to pay.
    if (!nap.signal.aborted) nap.abort();
  }

  /** One round of as many mails as there are connections. Each is settled by itself, so that a crash repeats none that was. */
  async function sendSome(): Promise<number> {
    const jobs = await queue.take(CONNECTIONS);
    if (jobs.length === 0) return 0;
    const hold = setInterval(() => void queue.hold(jobs).catch(onError), HOLD_EVERY_MS);
    try {
      const letters = await composeInTime(jobs);
      const sent = await Promise.allSettled(letters.map(sendInTime));
      for (const each of sent) if (each.status === 'rejected') onError(each.reason);
    } finally {
      clearInterval(hold);
    }
    return jobs.length;
  }

  async function composeInTime(jobs: readonly MailJob[]): Promise<TimedLetter[]> {
    try {
      const letters = await composeAll(jobs);
      const times = await options.reserveTimes(letters.length);
      return letters.map((letter, index) => ({ ...letter, inMs: times[index] ?? 0 }));
    } catch (error) {
      await queue.handBack(jobs);
      throw error;
    }
  }

  async function composeAll(jobs: readonly MailJob[]): Promise<{ job: MailJob; letter: Letter }[]> {
    const recipients = await options.findRecipients(jobs.map(({ request }) => request.memberId));
    const suppressed = await options.findSuppressed([...recipients.values()].map(({ identity }) => identity));
    const composed = [];
    for (const job of jobs) {
      const recipient = recipients.get(job.request.memberId);
      const letter = recipient === undefined ? null : options.compose(job, recipient);
      const isSuppressed = recipient !== undefined && suppressed.has(recipient.identity);
      if (letter !== null && !isSuppressed) composed.push({ job, letter });
      else await settle(job, isSuppressed ? 'suppressed' : 'obsolete');
    }
    return composed;
  }

  async function sendInTime({ job, letter, inMs }: TimedLetter): Promise<void> {
    const isInTime = await pause(inMs, true, { signal }).catch(() => false);
    if (!isInTime) return await queue.handBack([job]);
    try {
      await transport.send(letter);
    } catch (error) {
      const failure = failureOf(error);
      if (maySayServerIsAway(failure)) server.suspect();
      const ageMs = Date.now() - job.queuedAt.getTime();
      return await settle(job, judgeFailure(failure, { ageMs, giveUpAfterMs: options.giveUpAfterMs }), failure);
    }
    await noteSent(job);
  }

  /** Not noted, it would be sent again: worth some patience with a database that is just changing hands. */
  async function noteSent(job: MailJob): Promise<void> {
    const deadline = performance.now() + NOTE_PATIENCE_MS;
    for (;;) {
      try {
        return await settle(job, 'sent');
      } catch (error) {
        if (signal.aborted || performance.now() > deadline) throw error;
        await pause(NOTE_AGAIN_AFTER_MS);
      }
    }
  }

  async function settle(job: MailJob, outcome: Outcome, failure?: SmtpFailure): Promise<void> {
    const end: MailEnd = { outcome, ...(failure?.responseCode && { responseCode: failure.responseCode }) };
    await (outcome === 'later' ? queue.retry(job, end) : queue.finish(job, end));
    onOutcome(outcome, job, failure);
  }

  const running = run();
  return {
    wake,
    async stop() {
      stopping.abort();
      server.stop();
      await Promise.race([running, pause(STOP_PATIENCE_MS, null, { ref: false })]);
    },
  };
}

/** Nodemailer's fields alone: its message quotes the server, which quotes the address. */
function failureOf(error: unknown): SmtpFailure {
  if (!(error instanceof Error)) return {};
  const { code, responseCode, command } = error as SmtpFailure;
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof responseCode === 'number' && { responseCode }),
    ...(typeof command === 'string' && { command: command.slice(0, 40) }),
  };
}
