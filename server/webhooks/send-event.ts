import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Brand } from '../../brand/brand-shape.ts';
import { TEST_KIND } from '../../contract/operator/webhooks/webhooks.ts';
import type { Database } from '../db/database.ts';
import { getOfferById } from '../drop/views/get-offers.ts';
import { tierProgress } from '../line/referrals/tier-rules.ts';
import { getMember } from '../members/list/read-members.ts';
import type { Endpoint } from './endpoint-store.ts';
import type { WebhookEvent } from './expand-events.ts';
import type { PostEvent, PostResult } from './post-event.ts';

export type SendOptions = {
  readonly database: Database;
  readonly brand: Pick<Brand, 'name' | 'tiers'>;
  readonly secretKey: string;
  readonly post: PostEvent;
};

export async function sendEvent(
  { database, brand, secretKey, post }: SendOptions,
  { id, url, secret_number: current, old_secret_until }: Endpoint,
  event: WebhookEvent,
): Promise<PostResult> {
  const data = await composeData(database, brand.tiers, event);
  const body = JSON.stringify({ type: event.kind, timestamp: event.happened_at, data });
  const now = new Date();
  const signatures = (old_secret_until === null ? [current] : [current, current - 1]).map(
    (number) => new Webhook(webhookSecret(secretKey, id, number)).sign(event.event_id, now, body),
  );
  return await post({
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': `${brand.name} Webhooks`,
      'webhook-id': event.event_id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    },
  });
}

export function webhookSecret(secretKey: string, endpointId: string, number: number): string {
  const hmac = createHmac('sha256', secretKey).update(`webhook\0${endpointId}\0${number}`);
  return `whsec_${hmac.digest('base64')}`;
}

/** `member` is null once they have left, and nothing but ids and numbers remains. */
async function composeData(
  database: Database,
  tiers: Brand['tiers'],
  { kind, member_id, friend_id, referral_count, offer_id }: WebhookEvent,
): Promise<object> {
  if (kind === TEST_KIND || member_id === null) return { message: 'This is a test.' };
  if (kind === 'member.left') return { member_id };
  const member = await getMember(database, { tiers }, { memberId: member_id });
  if (offer_id !== null)
    return { member_id, member, offer: await getOfferById(database, offer_id) };
  if (kind === 'member.credited') return { member_id, member, friend_id, referral_count };
  if (kind !== 'tier.reached') return { member_id, member };
  const { level, rewardsUnlocked } = tierProgress(tiers, referral_count ?? 0);
  const reward = rewardsUnlocked.at(-1) ?? null;
  return { member_id, member, tier_level: level, reward, referral_count };
}
