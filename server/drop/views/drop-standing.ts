import type { Brand } from '../../../brand/brand-shape.ts';
import type { DropPlaceView } from '../../../contract/drop/drop-views.ts';
import type { Database } from '../../db/database.ts';
import { describeEnd } from '../offers/offer-rules.ts';
import { type DatedOffer, getOffer } from '../offers/settle-offer.ts';
import { getDropPlace } from '../steps/drop-place.ts';
import { getDrop } from '../steps/drop-state.ts';

/** Where a member stands in the last drop, as their page shows it to everybody. */
export type DropStanding = {
  readonly place: DropPlaceView;
  /** Of this drop. `until` is the time it ends or ended, in the time zone of the drop. */
  readonly offer: (Pick<DatedOffer, 'state' | 'size'> & { readonly until: string }) | null;
};

/** The function returns null for an unknown member. */
export function openDropStandings(database: Database, { language }: Pick<Brand, 'language'>) {
  return async (memberId: string): Promise<DropStanding | null> => {
    const [place, offer, drop] = await Promise.all([
      getDropPlace(database, memberId),
      getOffer(database, memberId),
      getDrop(database),
    ]);
    if (place === null) return null;
    if (offer === null || offer.drop_number !== place.drop) return { place, offer: null };
    const { size, state, is_late: isLate, expires_at: expiresAt } = offer;
    const until = describeEnd({ expiresAt, timeZone: drop.time_zone }, language);
    // It has ended, and no sweep has noted that yet.
    return { place, offer: { state: state === 'open' && isLate ? 'expired' : state, size, until } };
  };
}
