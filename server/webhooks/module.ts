/** Events for the systems of the owner: endpoints, deliveries and their log. */
import { Counter } from 'prom-client';
import { HOUR_MS } from '../durations.ts';
import { addDatabaseGauges } from '../http/database-gauges.ts';
import { logFailure } from '../http/request-log.ts';
import type { Module, Platform } from '../module.ts';
import { deleteOldDeliveries } from './delete-old-deliveries.ts';
import { startDeliverer } from './delivery/deliverer.ts';
import { openPost } from './delivery/post-event.ts';
import { listOf } from './delivery/public-address.ts';
import type { SendOptions } from './delivery/send-delivery.ts';
import { switchOffFailing } from './endpoints/edit-endpoints.ts';
import { readBacklog } from './log/log-store.ts';
import { addWebhookRoutes } from './routes.ts';

const GAUGES = {
  waitlist_webhooks_waiting:
    'Deliveries that wait for their first or next attempt: at most 10,000.',
  waitlist_webhooks_failing: 'Endpoints whose last attempt failed.',
  waitlist_oldest_webhook_seconds: 'Age of the oldest event that waits; 0 when none does.',
};

/** Delivers events until it is closed. */
export function openWebhooks({
  config,
  brand,
  database,
  secretKey,
  metrics,
  log,
}: Platform): Module {
  const { webhookNetworks } = config;
  const { registry } = metrics;
  const attempts = new Counter({
    name: 'waitlist_webhooks_total',
    help: 'Attempts to deliver an event, by kind and outcome. given_up never arrived.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  addDatabaseGauges(registry, GAUGES, async () => {
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
  return {
    addOperatorRoutes: (operator) =>
      addWebhookRoutes(operator, { ...sending, allowsHttp: webhookNetworks.length > 0 }),
    work: [
      {
        name: 'deleting old webhook deliveries',
        everyMs: HOUR_MS,
        run: () => deleteOldDeliveries(database),
      },
    ],
    close: () => deliverer.stop(),
  };
}
