import type { Static } from 'typebox';
import type { Tier } from '../../../brand/brand-shape.ts';
import type { MemberDrop } from '../../../contract/operator/drop/drop-facts.ts';
import type {
  ListedOffer,
  OfferListRequest,
  OfferPage,
} from '../../../contract/operator/drop/listed-offers.ts';
import type { Database } from '../../db/database.ts';
import { isoRow } from '../../db/iso-time.ts';
import { pageOf, readIdKey } from '../../http/cursor-rules.ts';
import { getDrop } from '../steps/drop-state.ts';
import { readEntrant, readWish } from '../steps/drop-store.ts';
import { type ListedRow, readOffers, readOffersTo, readRewardsOf } from './view-store.ts';

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
      const stored = found.rewards.find((one) => one.tier === tier);
      if (stored !== undefined) return [{ ...isoRow(stored), reward }];
      if (found.referrals < requiredReferrals) return [];
      return [{ tier, reward, state: 'owed', asked_at: null, sent_at: null }];
    }),
  };
}

function viewOffer(row: ListedRow, showsCodes: boolean): ListedOffer {
  const { code, drop_number: drop, door_scan: _, ...shown } = isoRow(row);
  const isLive = row.state === 'accepted' || row.state === 'paid';
  const isHidden = isLive && !showsCodes && code !== null;
  return { ...shown, drop, code: isHidden ? `…${code.slice(-SHOWN_END)}` : code };
}
