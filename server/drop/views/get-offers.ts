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
import { readEntrant, readReach, readRewardsOf, readWish } from '../entrant-store.ts';
import { type Cost, type OfferTimes, timesFromMail } from '../offers/offer-rules.ts';
import {
  countOffers,
  type ListedRow,
  NO_OFFERS,
  readOffers,
  readOffersById,
  readOffersTo,
} from '../offers/offer-store.ts';
import { countCodes } from '../stock/code-store.ts';
import { costOf, readChosen, tellsUnpaid } from '../till/account-store.ts';

export type MailedOffer = {
  readonly state: OfferState;
  readonly size: string;
  /** Once it is accepted, when it can be paid no longer. */
  readonly expiresAt: Date;
  readonly cost: Cost | null;
  /** Null where passes do not end by themselves. */
  readonly payHours: number | null;
  readonly needsCode: boolean;
  readonly timeZone: string;
  readonly carrier: string | null;
  readonly tracking: string | null;
  /** The times that begin with this mail; null if they have begun. */
  readonly times: OfferTimes | null;
};

export async function getMailedOffers(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, MailedOffer>> {
  if (ids.length === 0) return new Map();
  const rows = await readOffersById(database, ids);
  const till = await readChosen(database);
  return new Map(
    rows.map((row) => {
      const { id, state, size, time_zone: timeZone, carrier, tracking } = row;
      const times = row.mailed_at === null ? timesFromMail(row.now, row) : null;
      const expiresAt = row.pay_by ?? (times ?? row).expires_at;
      const payHours = tellsUnpaid(till) ? row.pay_hours : null;
      const terms = { cost: costOf(till, row), payHours, needsCode: till.kind === 'link' };
      return [id, { state, size, expiresAt, timeZone, carrier, tracking, times, ...terms }];
    }),
  );
}

export async function findReturning(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const reach = ids.length === 0 ? [] : await readReach(database, ids);
  return new Set(reach.flatMap(({ memberId, canReturn }) => (canReturn ? [memberId] : [])));
}

export type MailedDraw = { readonly number: number; readonly hash: string };

export async function getMailedDraw(database: Database): Promise<MailedDraw | null> {
  const drop = await getDrop(database);
  const hash = drawHashOf(drop);
  return hash === null ? null : { number: drop.number, hash };
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
  const { code, drop_number: drop, door_scan: _, ...shown } = isoRow(row);
  const isLive = row.state === 'accepted' || row.state === 'paid';
  const isHidden = isLive && !showsCodes && code !== null;
  return { ...shown, drop, code: isHidden ? `…${code.slice(-SHOWN_END)}` : code };
}
