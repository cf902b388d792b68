import type { Brand } from '../../../brand/brand-shape.ts';
import type { Database } from '../../db/database.ts';
import { composeEvent } from '../compose-event.ts';
import { signatureHeaders, webhookSecret } from '../secrets.ts';
import type { Delivery } from './delivery-store.ts';
import type { PostEvent, PostResult } from './post-event.ts';

export type SendOptions = {
  readonly database: Database;
  readonly brand: Pick<Brand, 'name' | 'tiers'>;
  readonly secretKey: string;
  readonly post: PostEvent;
};

/** What an attempt needs of an endpoint. */
export type Target = {
  readonly id: string;
  readonly url: string;
  readonly secret_number: number;
  readonly has_old_secret: boolean;
};

/** One signed attempt. Throws what the database throws. */
export async function sendDelivery(
  { database, brand, secretKey, post }: SendOptions,
  target: Target,
  event: Omit<Delivery, 'id' | 'attempts' | 'age_ms'>,
): Promise<PostResult> {
  const body = await composeEvent(database, brand, event);
  const { id: endpointId, url, secret_number: secretNumber } = target;
  const numbers = target.has_old_secret ? [secretNumber, secretNumber - 1] : [secretNumber];
  const secrets = numbers.map((number) =>
    webhookSecret(secretKey, { endpointId, secretNumber: number }),
  );
  return await post({
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': `${brand.name} Webhooks`,
      ...signatureHeaders(secrets, { eventId: event.event_id, body, now: new Date() }),
    },
  });
}
