/** Attempts by hand, which the operator waits for: a test, and a delivery once more. */
import { randomUUID } from 'node:crypto';
import { TEST_KIND } from '../../../contract/operator/webhooks/webhooks.ts';
import { readMemberId } from '../../line/member-id-rules.ts';
import { Problem } from '../../problem.ts';
import { settleDelivered, settleFailed } from '../delivery/delivery-store.ts';
import { retryDelayMs } from '../delivery/retry-rules.ts';
import { type SendOptions, sendDelivery } from '../delivery/send-delivery.ts';
import { findEndpoint } from '../endpoints/edit-endpoints.ts';
import type { EndpointRow } from '../endpoints/endpoint-store.ts';
import { insertAttempt, type LoggedDelivery, readDelivery } from './log-store.ts';

/** Sends a test, also to an endpoint that is off. Throws Problem unknown_path. */
export async function sendTestEvent(
  options: SendOptions,
  endpoint: EndpointRow,
): Promise<LoggedDelivery> {
  const event = {
    event_id: `evt_${randomUUID()}`,
    kind: TEST_KIND,
    happened_at: new Date(),
    member_id: null,
    friend_id: null,
    referral_count: null,
    offer_id: null,
    sequence: 0,
    ordinal: 0,
  };
  const attempt = await sendDelivery(options, endpoint, event);
  const logged = await insertAttempt(options.database, {
    endpointId: endpoint.id,
    event,
    attempt,
  });
  return orGone(logged);
}

/**
 * Sends a delivery once more under the same webhook-id, as a new entry of the log; one that still
 * waits has its next attempt now. Throws Problem unknown_path.
 */
export async function replayDelivery(
  options: SendOptions,
  deliveryId: string,
): Promise<LoggedDelivery> {
  const { database } = options;
  const id = readMemberId(deliveryId);
  const delivery = orGone(id === null ? null : await readDelivery(database, id));
  const endpoint = await findEndpoint(database.kysely, delivery.endpoint_id);
  const attempt = await sendDelivery(options, endpoint, delivery);
  if (delivery.state !== 'waiting') {
    const logged = { endpointId: endpoint.id, event: delivery, attempt };
    return orGone(await insertAttempt(database, logged));
  }
  const settled = { ...attempt, id: delivery.id };
  if (attempt.cause === null) await settleDelivered(database, settled);
  else {
    const retryInMs = retryDelayMs(delivery.attempts + 1, Math.random());
    await settleFailed(database, { ...settled, retryInMs, pauseInMs: null });
  }
  return orGone(await readDelivery(database, delivery.id));
}

function orGone<T>(found: T | null): T {
  if (found === null) throw new Problem('unknown_path', 'This delivery is no longer in the log.');
  return found;
}
