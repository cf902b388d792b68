import type { Database } from '../../db/database.ts';
import { getDrop } from '../steps/drop-state.ts';
import { countCodes } from './code-store.ts';
import { countOffers, type OfferRow } from './offer-store.ts';

type Counts = { readonly drop: number; readonly state: string } & Readonly<
  Record<OfferRow['state'], number>
>;

export type Figures = Counts & { readonly codes_imported: number; readonly codes_free: number };

/** The offers of the last drop, by state. */
export async function getOfferCounts(database: Database): Promise<Counts> {
  const { number, state } = await getDrop(database);
  const counts = new Map(
    (await countOffers(database, number)).map(({ state, offers }) => [state, offers]),
  );
  return {
    drop: number,
    state,
    open: counts.get('open') ?? 0,
    accepted: counts.get('accepted') ?? 0,
    redeemed: counts.get('redeemed') ?? 0,
    declined: counts.get('declined') ?? 0,
    expired: counts.get('expired') ?? 0,
    cancelled: counts.get('cancelled') ?? 0,
  };
}

/** How the offers of the last drop stand, and the codes for its passes. */
export async function getOfferFigures(database: Database): Promise<Figures> {
  const counts = await getOfferCounts(database);
  const { imported, free } = await countCodes(database);
  return { ...counts, codes_imported: imported, codes_free: free };
}
