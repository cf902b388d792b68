/** Offers as mails and other programs tell of them. */
import type { Database } from '../../db/database.ts';
import { type OfferRow, readMailedOffers, readOffer } from './offer-store.ts';

/** An offer as a mail needs it, in the state that it has when the mail is sent. */
export type MailedOffer = {
  readonly state: OfferRow['state'];
  readonly size: string;
  readonly expiresAt: Date;
  readonly timeZone: string;
};

/** By id. */
export async function getMailedOffers(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, MailedOffer>> {
  const rows = ids.length === 0 ? [] : await readMailedOffers(database, ids);
  return new Map(
    rows.map(({ id, state, size, expires_at: expiresAt, time_zone: timeZone }) => [
      id,
      { state, size, expiresAt, timeZone },
    ]),
  );
}

/** An offer as other programs hear of it: without the code, which is worth a mask. */
type ToldOffer = {
  readonly id: string;
  readonly drop: number;
  readonly state: string;
  readonly size: string;
  readonly offered_at: string;
  readonly expires_at: string;
  /** Of the shop, once it has redeemed the pass. */
  readonly order: string | null;
};

/** As it is now; null once it is gone. */
export async function getOfferById(database: Database, id: string): Promise<ToldOffer | null> {
  const offer = await readOffer(database, id);
  return (
    offer && {
      id,
      drop: offer.drop_number,
      state: offer.state,
      size: offer.size,
      offered_at: offer.offered_at.toISOString(),
      expires_at: offer.expires_at.toISOString(),
      order: offer.shop_order,
    }
  );
}
