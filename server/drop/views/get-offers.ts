import type { Static } from 'typebox';
import type { Tier } from '../../../brand/brand-shape.ts';
import type { OfferState } from '../../../contract/drop/states.ts';
import type { MemberDrop } from '../../../contract/operator/drop/drop-facts.ts';
import type {
  ListedOffer,
  OfferListRequest,
  OfferPage,
} from '../../../contract/operator/drop/listed-offers.ts';
import type { OfferFigures } from '../../../contract/operator/drop/offers.ts';
import type { Database } from '../../db/database.ts';
import { isoRow } from '../../db/iso-time.ts';
import { pageOf, readIdKey } from '../../http/cursor-rules.ts';
import { drawHashOf, getDrop } from '../drop-store.ts';
import { readEntrant, readRewardsOf, readWish } from '../entrant-store.ts';
import {
  countOffers,
  type ListedRow,
  NO_OFFERS,
  readOffers,
  readOffersById,
  readOffersTo,
} from '../offers/offer-store.ts';
import { countCodes } from '../stock/code-store.ts';

export type FrameFacts = Awaited<ReturnType<typeof getFrameFacts>>;

/** What frames of mails say about the last drop. */
export async function getFrameFacts(database: Database) {
  const drop = await getDrop(database);
  const { state, number } = drop;
  const hash = drawHashOf(drop);
  const draw = hash === null ? null : { number, hash };
  return { isOrderFixed: state !== 'open' && state !== 'closed', draw };
}

/** An offer for a webhook, without the code, which is worth a mask. Null when unknown. */
export async function getOfferById(database: Database, id: string) {
  const [offer] = await readOffersById(database, [id]);
  if (offer === undefined) return null;
  const { drop_number: drop, shop_order: order, ...row } = isoRow(offer);
  const { state, size, offered_at, expires_at } = row;
  return { id, drop, state, size, offered_at, expires_at, order };
}

export async function getOfferCounts(database: Database) {
  const { number, state } = await getDrop(database);
  const total: Record<OfferState, number> = { ...NO_OFFERS };
  for (const counts of (await countOffers(database, number)).values())
    for (const [key, offers] of Object.entries(counts)) total[key as OfferState] += offers;
  return { drop: number, state, ...total };
}

export async function getOfferFigures(database: Database): Promise<OfferFigures> {
  const codes = await countCodes(database);
  return {
    ...(await getOfferCounts(database)),
    codes_imported: codes.reduce((sum, { imported }) => sum + imported, 0),
    codes_free: codes.reduce((sum, { free }) => sum + free, 0),
  };
}

const PAGE_OFFERS = 50;
const SHOWN_END = 4;

type Codes = { readonly showsCodes: boolean };

export async function listOffers(
  database: Database,
  { state, text = '', after }: Static<typeof OfferListRequest>,
  { showsCodes }: Codes,
): Promise<OfferPage> {
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

export async function getMemberDrop(
  database: Database,
  memberId: string,
  { tiers, showsCodes }: Codes & { readonly tiers: readonly Tier[] },
): Promise<MemberDrop | null> {
  const found = await readRewardsOf(database, memberId);
  const wish = await readWish(database, memberId);
  if (found === null || wish === null) return null;
  const { number } = await getDrop(database);
  const offers = await readOffersTo(database, memberId);
  return {
    wish,
    entrant: await readEntrant(database, { number, memberId }),
    offers: offers.map((row) => viewOffer(row, showsCodes)),
    rewards: tiers.flatMap(({ reward, requiredReferrals }, index): MemberDrop['rewards'] => {
      const tier = index + 1;
      const stored = found.rewards.find((storedReward) => storedReward.tier === tier);
      if (stored !== undefined) return [{ ...isoRow(stored), reward }];
      if (found.referrals < requiredReferrals) return [];
      return [{ tier, reward, state: 'owed', asked_at: null, sent_at: null }];
    }),
  };
}

function viewOffer(row: ListedRow, showsCodes: boolean): ListedOffer {
  const { code, drop_number: drop, door_scan: _, position: __, ...shown } = isoRow(row);
  const isLive = row.state === 'accepted' || row.state === 'paid';
  const isHidden = isLive && !showsCodes && code !== null;
  return { ...shown, drop, code: isHidden ? `…${code.slice(-SHOWN_END)}` : code };
}
