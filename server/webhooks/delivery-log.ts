import { randomUUID } from 'node:crypto';
import { TEST_KIND, type WebhookDeliveries } from '../../contract/operator/webhooks/webhooks.ts';
import type { Database } from '../db/database.ts';
import { pageOf, readEndedKey, writeEndedKey } from '../http/cursor-rules.ts';
import { readMemberId } from '../line/member-id-rules.ts';
import { Problem } from '../problem.ts';
import { retryDelayMs } from '../retry-delay-rules.ts';
import {
  type Delivery,
  insertAttempt,
  readDelivery,
  readLog,
  settleDelivery,
} from './delivery-store.ts';
import type { Endpoint } from './endpoint-store.ts';
import { findEndpoint } from './endpoints.ts';
import { type SendOptions, sendEvent } from './send-event.ts';

const PAGE_SIZE = 50;
const NEWEST = { us: 8_000_000_000_000_000, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

export async function listDeliveries(
  database: Database,
  endpointId: string,
  { after, state = null }: { after?: string; state?: string | null },
): Promise<WebhookDeliveries> {
  const { id } = await findEndpoint(database.kysely, endpointId);
  const before = after === undefined ? NEWEST : readEndedKey(after, 'failed');
  const found = await readLog(database, id, { state, before, limit: PAGE_SIZE + 1 });
  const keyOf = (last: Delivery) => writeEndedKey({ us: last.created_us, id: last.id });
  const { shown: entries, next } = pageOf(found, PAGE_SIZE, keyOf);
  return { entries, next };
}

export async function sendTestEvent(options: SendOptions, endpoint: Endpoint): Promise<Delivery> {
  const event = {
    event_id: `evt_${randomUUID()}`,
    kind: TEST_KIND,
    happened_at: new Date().toISOString(),
    sequence: 0,
    ordinal: 0,
    member_id: null,
    friend_id: null,
    referral_count: null,
    offer_id: null,
  };
  const attempt = await sendEvent(options, endpoint, event);
  return orGone(await insertAttempt(options.database, endpoint.id, event, attempt));
}

/** A new entry with the same webhook-id; one that still waits is tried now. */
export async function replayDelivery(options: SendOptions, deliveryId: string): Promise<Delivery> {
  const { database } = options;
  const id = readMemberId(deliveryId);
  const delivery = orGone(id === null ? null : await readDelivery(database, id));
  const endpoint = await findEndpoint(database.kysely, delivery.endpoint_id);
  const attempt = await sendEvent(options, endpoint, delivery);
  if (delivery.state !== 'waiting')
    return orGone(await insertAttempt(database, endpoint.id, delivery, attempt));
  const retryInMs = retryDelayMs(delivery.attempts + 1, Math.random());
  await settleDelivery(database, delivery.id, { ...attempt, retryInMs, pauseInMs: null });
  return orGone(await readDelivery(database, delivery.id));
}

function orGone<T>(found: T | null): T {
  if (found === null) throw new Problem('unknown_path', 'This delivery is no longer in the log.');
  return found;
}
