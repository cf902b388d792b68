/** Composes webhooks: the deliverer, its metrics, and what the routes need. */
import type { FastifyBaseLogger } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import type { Brand } from '../../brand/brand-shape.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { addDatabaseGauges } from '../http/database-gauges.ts';
import { logFailure } from '../http/request-log.ts';
import { startDeliverer } from './delivery/deliverer.ts';
import { openPost } from './delivery/post-event.ts';
import { listOf } from './delivery/public-address.ts';
import type { SendOptions } from './delivery/send-delivery.ts';
import { type EditOptions, switchOffFailing } from './endpoints/edit-endpoints.ts';
import { readBacklog } from './log/log-store.ts';

export type Webhooks = EditOptions & SendOptions & { stop(): Promise<void> };

type WebhookOptions = {
  readonly config: Pick<Config, 'webhookNetworks'>;
  readonly brand: Brand;
  readonly database: Database;
  readonly secretKey: string;
  readonly registry: Registry;
  readonly log: FastifyBaseLogger;
};

/** Delivers events until it is stopped. */
export function openWebhooks({
  config: { webhookNetworks },
  brand,
  database,
  secretKey,
  registry,
  log,
}: WebhookOptions): Webhooks {
  const attempts = new Counter({
    name: 'waitlist_webhooks_total',
    help: 'Attempts to deliver an event, by kind and outcome. given_up never arrived.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  const gauges = {
    waitlist_webhooks_waiting:
      'Deliveries that wait for their first or next attempt: at most 10,000.',
    waitlist_webhooks_failing: 'Endpoints whose last attempt failed.',
    waitlist_oldest_webhook_seconds: 'Age of the oldest event that waits; 0 when none does.',
  };
  addDatabaseGauges(registry, gauges, async () => {
    const { waiting, failing, oldest_seconds } = await readBacklog(database);
    return {
      waitlist_webhooks_waiting: waiting,
      waitlist_webhooks_failing: failing,
      waitlist_oldest_webhook_seconds: oldest_seconds,
    };
  });
  const sending: SendOptions = {
    database,
    brand,
    secretKey,
    post: openPost({ networks: listOf(webhookNetworks) }),
  };
  const deliverer = startDeliverer({
    ...sending,
    onAttempt: (kind, outcome) => attempts.inc({ kind, outcome }),
    async switchOff(endpointId, cause) {
      await switchOffFailing(database, { endpointId, cause });
      log.warn({ cause }, 'a webhook was switched off');
    },
    onError: (error) => logFailure(log, 'error', error, 'a query of the webhooks failed'),
  });
  return { ...sending, allowsHttp: webhookNetworks.length > 0, stop: deliverer.stop };
}
