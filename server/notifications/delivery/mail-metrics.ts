import { Counter, type Registry } from '@prometheus-io/client';
import type { FastifyBaseLogger } from 'fastify';
import { HOUR_MS, MINUTE_MS } from '../../durations.ts';
import { addDatabaseGauges } from '../../http/database-gauges.ts';
import { describeError } from '../../http/request-log.ts';
import {
  adviceFor,
  isAboutTheMail,
  type MailCause,
  type MailOutcome,
  type SmtpFailure,
} from '../../mail/delivery/smtp-failure-rules.ts';
import type { Backlog } from './backlog-store.ts';
import type { MailJob } from './queue.ts';

/** `composeError`: the mail never got as far as the mail server. */
export type MailFailure = SmtpFailure & { readonly composeError?: unknown };

export type OutcomeReport = (outcome: MailOutcome, job: MailJob, failure?: MailFailure) => void;

/** A mail server that comes and goes, or delays mails every day, must not fill the log. */
const WARN_AGAIN_AFTER_MS = MINUTE_MS;
const WARN_OF_A_MAIL_AGAIN_AFTER_MS = HOUR_MS;

/** Counts outcomes and logs what the operator should know, never the recipient. */
export function openMailMetrics(
  registry: Registry,
  options: {
    log: Pick<FastifyBaseLogger, 'error' | 'warn'>;
    readBacklog: () => Promise<Backlog>;
  },
) {
  const { log, readBacklog } = options;
  const mails = new Counter({
    name: 'waitlist_mails_total',
    help: 'Attempts to send a mail, by kind and outcome. refused, given_up, kept never arrived.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  const backlog = {
    waitlist_mails_waiting: 'Mails that wait for their first or next attempt.',
    waitlist_mails_stuck: 'Of the waiting mails, those that have failed: at most 10,000.',
    waitlist_oldest_mail_seconds: 'Age of the oldest waiting mail; 0 when none waits.',
    waitlist_mail_refused: '1 while mail stands still, because the provider refuses the sender.',
  };
  addDatabaseGauges(registry, backlog, async () => {
    const { waiting, stuck, oldestSeconds, isRefused } = await readBacklog();
    return {
      waitlist_mails_waiting: waiting,
      waitlist_mails_stuck: stuck,
      waitlist_oldest_mail_seconds: oldestSeconds,
      waitlist_mail_refused: Number(isRefused),
    };
  });
  let stuckOn: MailCause | null = null;
  const warnedAt = new Map<MailCause, number>();
  const uncomposed = new Set<string>();

  function warn(message: string, failure: SmtpFailure, afterMs: number, kind?: string): boolean {
    const now = performance.now();
    if (now - (warnedAt.get(failure.cause) ?? Number.NEGATIVE_INFINITY) < afterMs) return false;
    warnedAt.set(failure.cause, now);
    log.warn({ ...(kind && { kind }), ...describeFailure(failure) }, message);
    return true;
  }

  function reportRetry(kind: string, failure: SmtpFailure): void {
    const message = 'mail delivery failed, retrying for a day';
    if (isAboutTheMail(failure)) warn(message, failure, WARN_OF_A_MAIL_AGAIN_AFTER_MS, kind);
    else if (failure.cause !== stuckOn && warn(message, failure, WARN_AGAIN_AFTER_MS, kind))
      stuckOn = failure.cause;
  }

  return {
    onOutcome(outcome: MailOutcome, { request: { kind } }: MailJob, failure?: MailFailure): void {
      mails.inc({ kind, outcome });
      if (failure !== undefined && (outcome === 'refused' || outcome === 'given_up'))
        log.warn({ kind, outcome, ...describeFailure(failure) }, 'mail not delivered, giving up');
      if (failure?.composeError !== undefined) {
        const error = describeError(failure.composeError);
        if (!uncomposed.has(kind)) log.error({ kind, error }, 'mail cannot be composed');
        uncomposed.add(kind);
        return;
      }
      if (failure !== undefined && outcome === 'later') reportRetry(kind, failure);
      if (outcome !== 'sent' || stuckOn === null) return;
      // At the level of the warning, so that every log that has the one has the other.
      log.warn('mail delivery works again');
      stuckOn = null;
    },
    onFailedCheck(failure: SmtpFailure): void {
      if (warn('the mail server cannot be used', failure, WARN_AGAIN_AFTER_MS))
        stuckOn = failure.cause;
    },
    onRefusal(failure: SmtpFailure): void {
      log.warn(describeFailure(failure), 'the provider refuses the sender: mail stands still');
      stuckOn = failure.cause;
    },
  };
}

/** Names are those of `describeError`: the log removes "code", which may be a member's. */
function describeFailure({ cause, errorCode, responseCode, status, command }: SmtpFailure) {
  const advice = adviceFor(cause) ?? undefined;
  return { cause, error_code: errorCode, responseCode, status, command, advice };
}
