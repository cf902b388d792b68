/** Events for the systems of the owner: endpoints, deliveries and their log. */
import { Counter } from 'prom-client';
import { HOUR_MS } from '../durations.ts';
import { addDatabaseGauges } from '../http/database-gauges.ts';
import { logFailure } from '../http/request-log.ts';
import type { Module, Platform } from '../module.ts';
import { deliverEvents } from './deliver-events.ts';
import { deleteOldDeliveries, readBacklog } from './delivery-store.ts';
import { switchOffFailing } from './endpoints.ts';
import { openPost } from './post-event.ts';
import { listOf } from './public-address.ts';
import { addWebhookRoutes } from './routes.ts';
import type { SendOptions } from './send-event.ts';

const GAUGES = {
  waitlist_webhooks_waiting:
    'Deliveries that wait for their first or next attempt: at most 10,000.',
  waitlist_webhooks_failing: 'Endpoints whose last attempt failed.',
  waitlist_oldest_webhook_seconds: 'Age of the oldest event that waits; 0 when none does.',
};

export function openWebhooks({
  config,
  brand,
  database,
  secretKey,
  metrics,
  log,
}: Platform): Module {
  const { webhookNetworks } = config;
  const attempts = new Counter({
    name: 'waitlist_webhooks_total',
    help: 'Attempts to deliver an event, by kind and outcome. given_up never arrived.',
    labelNames: ['kind', 'outcome'],
    registers: [metrics.registry],
  });
  addDatabaseGauges(metrics.registry, GAUGES, () => readBacklog(database));
  const sending: SendOptions = {
    database,
    brand,
    secretKey,
    post: openPost({ networks: listOf(webhookNetworks) }),
  };
  const stop = deliverEvents({
    ...sending,
    onAttempt: (kind, outcome) => attempts.inc({ kind, outcome }),
    async switchOff(endpointId, cause) {
      await switchOffFailing({ database }, endpointId, cause);
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
    close: stop,
  };
}
