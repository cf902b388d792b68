import type { Brand } from '../../brand/brand-shape.ts';
import { TEST_KIND } from '../../contract/operator/webhooks/webhooks.ts';
import type { Database } from '../db/database.ts';
import { getOfferById } from '../drop/offers/get-offers.ts';
import { tierProgress } from '../line/referrals/tier-rules.ts';
import { getMember } from '../members/list/read-members.ts';
import type { Delivery } from './delivery/delivery-store.ts';

/**
 * The JSON of an event, with the member as they are now: `member` is null once they have left, and
 * nothing but ids and numbers remains.
 */
export async function composeEvent(
  database: Database,
  brand: Pick<Brand, 'tiers'>,
  event: Pick<
    Delivery,
    'kind' | 'happened_at' | 'member_id' | 'friend_id' | 'referral_count' | 'offer_id'
  >,
): Promise<string> {
  return JSON.stringify({
    type: event.kind,
    timestamp: event.happened_at.toISOString(),
    data: await composeData(database, brand, event),
  });
}

async function composeData(
  database: Database,
  brand: Pick<Brand, 'tiers'>,
  { kind, member_id: id, friend_id, referral_count, offer_id }: Parameters<typeof composeEvent>[2],
): Promise<object> {
  if (kind === TEST_KIND || id === null) return { message: 'This is a test.' };
  if (kind === 'member.left') return { member_id: id };
  const member = await getMember(database, brand, { memberId: id });
  if (offer_id !== null)
    return { member_id: id, member, offer: await getOfferById(database, offer_id) };
  if (kind === 'member.joined' || kind === 'member.returned') return { member_id: id, member };
  if (kind === 'member.credited') return { member_id: id, member, friend_id, referral_count };
  const { level, rewardsUnlocked } = tierProgress(brand.tiers, referral_count ?? 0);
  return {
    member_id: id,
    member,
    tier_level: level,
    reward: rewardsUnlocked.at(-1) ?? null,
    referral_count,
  };
}
