import type { Tier } from '../../../brand/brand-shape.ts';
import type { MemberDrop } from '../../../contract/operator/drop/drop-facts.ts';
import type { ListedOffer, OfferPage } from '../../../contract/operator/drop/listed-offers.ts';
import type { Database } from '../../db/database.ts';
import { pageOf, readIdKey } from '../../http/cursor-rules.ts';
import { Problem } from '../../problem.ts';
import { getDrop } from '../steps/drop-state.ts';
import { readEntrant } from '../steps/drop-store.ts';
import { readWish } from '../steps/wish-store.ts';
import {
  type ListedRow,
  type RewardOfMember,
  readOffers,
  readOffersTo,
  readRewardsOf,
} from './view-store.ts';

const PAGE_OFFERS = 50;
/** Characters of a live code for a caller who must not use it. */
const SHOWN_END = 4;

type Question = {
  readonly state?: ListedOffer['state'];
  readonly text?: string;
  readonly after?: string;
};

/** A page of the last drop's offers. Throws Problem invalid_field. */
export async function listOffers(
  database: Database,
  { state, text = '', after }: Question,
  { showsCodes }: { readonly showsCodes: boolean },
): Promise<OfferPage> {
  if (text.includes('\0'))
    throw new Problem('invalid_field', 'The text must not contain a NUL character.');
  const rows = await readOffers(database, {
    number: (await getDrop(database)).number,
    state: state ?? null,
    text: text.trim(),
    after: after === undefined ? null : readIdKey(after),
    limit: PAGE_OFFERS + 1,
  });
  const { shown, next } = pageOf(rows, PAGE_OFFERS, ({ id }) => id);
  return { offers: shown.map((row) => viewOffer(row, showsCodes)), next };
}

/** The drop as it concerns one member; null for an unknown one. */
export async function getMemberDrop(
  database: Database,
  { memberId, tiers }: { readonly memberId: string; readonly tiers: readonly Tier[] },
  { showsCodes }: { readonly showsCodes: boolean },
): Promise<MemberDrop | null> {
  const found = await readRewardsOf(database, memberId);
  if (found === null) return null;
  const { number } = await getDrop(database);
  const wish = await readWish(database, memberId);
  const offers = await readOffersTo(database, memberId);
  return {
    wish: { sizes: [...(wish?.sizes ?? [])], takes_any: wish?.takes_any ?? true },
    entrant: await readEntrant(database, { number, memberId }),
    offers: offers.map((row) => viewOffer(row, showsCodes)),
    rewards: tiers.flatMap((tier, index) => viewReward(tier, { tier: index + 1, ...found })),
  };
}

/** None for a tier that the member has not reached. */
function viewReward(
  { reward, requiredReferrals }: Tier,
  found: { tier: number; referrals: number; rewards: readonly RewardOfMember[] },
): MemberDrop['rewards'] {
  const { tier } = found;
  const stored = found.rewards.find((one) => one.tier === tier);
  if (stored === undefined && found.referrals < requiredReferrals) return [];
  return [
    {
      tier,
      reward,
      state: stored?.state ?? 'owed',
      asked_at: stored?.asked_at.toISOString() ?? null,
      sent_at: stored?.sent_at?.toISOString() ?? null,
    },
  ];
}

function viewOffer(row: ListedRow, showsCodes: boolean): ListedOffer {
  const { code } = row;
  const isLive = row.state === 'accepted';
  return {
    id: row.id,
    drop: row.drop_number,
    member_id: row.member_id,
    email: row.email,
    draw_order: row.draw_order,
    size: row.size,
    state: row.state,
    wave: row.wave,
    offered_at: row.offered_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    reminded_at: row.reminded_at?.toISOString() ?? null,
    settled_at: row.settled_at?.toISOString() ?? null,
    redeemed_at: row.redeemed_at?.toISOString() ?? null,
    code: isLive && !showsCodes && code !== null ? `…${code.slice(-SHOWN_END)}` : code,
    shop_order: row.shop_order,
  };
}
