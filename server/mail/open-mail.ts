/** Mail as a whole: the queue, what is in the letters, and their way out. */
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { Brand } from '../../brand/brand-shape.ts';
import type { RenderMail } from '../../contract/mails.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { GIVE_UP_AFTER_MS } from '../db/queue-schema.ts';
import { describeError } from '../http/request-log.ts';
import { getRecipients } from '../waitlist/get-recipients.ts';
import { composeLetter } from './compose-letter.ts';
import { reportOutcomes } from './delivery/mail-metrics.ts';
import { startMailSender } from './delivery/mail-sender.ts';
import { reserveTimes } from './delivery/pace.ts';
import { openMailTransport } from './delivery/transport.ts';
import { openMailQueue } from './queue.ts';
import { findSuppressed } from './suppression/suppression.ts';

type MailOptions = {
  readonly config: Config;
  readonly brand: Brand;
  readonly database: Database;
  readonly secretKey: string;
  readonly artVersion: string;
  readonly renderMail: RenderMail;
  readonly registry: Registry;
  readonly log: FastifyBaseLogger;
};

export type Mail = {
  /** Something was queued just now. */
  wake(): void;
  stop(): Promise<void>;
};

/** Sends what is queued until it is stopped. */
export async function openMail(options: MailOptions): Promise<Mail> {
  const { config, brand, database, secretKey, log } = options;
  const onError = (error: unknown) => log.error({ error: describeError(error) }, 'the queue of mail failed');
  const queue = await openMailQueue(database, onError);
  const transport = openMailTransport({ ...config, senderName: brand.name });
  const sender = startMailSender({
    queue,
    transport,
    giveUpAfterMs: GIVE_UP_AFTER_MS,
    findRecipients: (ids) => getRecipients(database, ids),
    findSuppressed: (identities) => findSuppressed(database, secretKey, identities),
    compose: (job, recipient) => composeLetter({ ...config, ...options }, job, recipient),
    reserveTimes: (count) => reserveTimes(database, { count, ratePerSecond: config.mailRate }),
    onOutcome: reportOutcomes(options.registry, { log, countWaiting: queue.countWaiting }),
    onError,
  });
  return {
    wake: sender.wake,
    async stop() {
      await sender.stop();
      transport.close();
      await queue.close();
    },
  };
}
