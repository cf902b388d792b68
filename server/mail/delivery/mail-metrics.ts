import type { FastifyBaseLogger } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';
import { describeError } from '../../http/request-log.ts';
import type { MailJob, Outcome } from '../queue.ts';
import type { SmtpFailure } from './transport.ts';

/** `composeError`: the mail never got as far as the mail server. */
export type MailFailure = SmtpFailure & { readonly composeError?: unknown };

export type OutcomeReport = (outcome: Outcome, job: MailJob, failure?: MailFailure) => void;

/** Counts outcomes and logs what the operator should know, never the recipient. */
export function openMailMetrics(
  registry: Registry,
  {
    log,
    countWaiting,
  }: {
    log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;
    countWaiting: () => Promise<number>;
  },
): OutcomeReport {
  const mails = new Counter({
    name: 'waitlist_mails_total',
    help: 'Attempts to send a mail, by kind and outcome. refused and given_up never arrived.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  new Gauge({
    name: 'waitlist_mails_waiting',
    help: 'Mails that wait for their first or next attempt.',
    registers: [registry],
    async collect() {
      this.set(await countWaiting());
    },
  });
  let isStuck = false;
  /** Kinds, each logged once. */
  const uncomposed = new Set<string>();
  return (outcome, { request: { kind } }, { composeError, ...failure } = {}) => {
    mails.inc({ kind, outcome });
    if (outcome === 'refused' || outcome === 'given_up')
      log.warn({ kind, outcome, ...failure }, 'mail not delivered, giving up');
    // Logged once, not for each of ten thousand mails.
    if (composeError !== undefined) {
      if (!uncomposed.has(kind))
        log.error({ kind, error: describeError(composeError) }, 'mail cannot be composed');
      uncomposed.add(kind);
      return;
    }
    if (outcome === 'later' && !isStuck)
      log.warn({ kind, ...failure }, 'mail delivery failed, retrying for a day');
    if (outcome === 'sent' && isStuck) log.info('mail delivery works again');
    if (outcome === 'later' || outcome === 'sent') isStuck = outcome === 'later';
  };
}
