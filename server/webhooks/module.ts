/** Events for the systems of the owner: endpoints, deliveries and their log. */
import { Counter } from '@prometheus-io/client';
import { HOUR_MS } from '../durations.ts';
import { addDatabaseGauges } from '../http/database-gauges.ts';
import type { Module, Platform } from '../module.ts';
import { deliverEvents } from './deliver-events.ts';
import { BACKLOG_GAUGES, deleteOldDeliveries, readBacklog } from './delivery-store.ts';
import { openPost } from './post-event.ts';
import { addWebhookRoutes } from './routes.ts';

export function openWebhooks(platform: Platform): Module {
  const { config, brand, database, engine, secretKey, metrics, log } = platform;
  const { webhookNetworks } = config;
  const attempts = new Counter({
    name: 'waitlist_webhooks_total',
    help: 'Attempts to deliver an event, by kind and outcome. given_up never arrived.',
    labelNames: ['kind', 'outcome'],
    registers: [metrics.registry],
  });
  addDatabaseGauges(metrics.registry, BACKLOG_GAUGES, () => readBacklog(database));
  const sending = { database, brand, secretKey, post: openPost(webhookNetworks) };
  const stop = deliverEvents({
    ...sending,
    engine,
    log,
    onAttempt: (kind, outcome) => attempts.inc({ kind, outcome }),
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
