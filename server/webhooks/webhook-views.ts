/** Endpoints and deliveries as the operator's API shows them. */
import type {
  WebhookDelivery,
  WebhookEndpoint,
  WholeEndpoint,
} from '../../contract/operator/webhooks/webhooks.ts';
import type { EndpointRow } from './endpoints/endpoint-store.ts';
import type { LoggedDelivery } from './log/log-store.ts';

export function viewEndpoint(endpoint: EndpointRow): WebhookEndpoint {
  return {
    id: endpoint.id,
    origin: new URL(endpoint.url).origin,
    events: [...endpoint.events] as WebhookEndpoint['events'],
    is_on: endpoint.is_on,
    off_reason: endpoint.off_reason,
    created_at: endpoint.created_at.toISOString(),
    failing_since: endpoint.failing_since?.toISOString() ?? null,
    failures: endpoint.failures,
    next_attempt_at: endpoint.retry_at?.toISOString() ?? null,
    waiting: endpoint.waiting,
    old_secret_until: endpoint.old_secret_until?.toISOString() ?? null,
  };
}

export function viewWholeEndpoint(endpoint: EndpointRow): WholeEndpoint {
  return { ...viewEndpoint(endpoint), url: endpoint.url };
}

export function viewDelivery(delivery: LoggedDelivery): WebhookDelivery {
  return {
    id: delivery.id,
    event_id: delivery.event_id,
    kind: delivery.kind,
    member_id: delivery.member_id,
    happened_at: delivery.happened_at.toISOString(),
    state: delivery.state,
    attempts: delivery.attempts,
    last_attempt_at: delivery.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: delivery.next_at?.toISOString() ?? null,
    status: delivery.status,
    cause: delivery.cause,
    answer: delivery.answer,
    duration_ms: delivery.duration_ms,
  };
}
