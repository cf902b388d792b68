import type { OwnOffer } from '../../../contract/drop/offer-views.ts';
import type { TillSettings } from '../../../contract/operator/drop/till.ts';
import type { Database } from '../../db/database.ts';
import { readDrop } from '../drop-store.ts';
import { describeCost } from '../offers/offer-rules.ts';
import { type DatedOffer, readOfferOf } from '../offers/offer-store.ts';
import { listSizes } from '../stock/store.ts';
import { costOf, tellsUnpaid } from '../till/account-store.ts';
import { readCheckout } from '../till/checkout-store.ts';
import { readEntryLink } from '../till/get-entries.ts';
import { linkWithCode } from '../till/link-till.ts';
import type { Tills } from '../till/open-tills.ts';

type Options = {
  readonly database: Database;
  readonly tills: Pick<Tills, 'chosen'>;
  readonly language: string;
};
type Shown = NonNullable<OwnOffer['offer']>;
type AtTill = Pick<Shown, 'checkout' | 'shop_link' | 'price' | 'pay_hours'>;

type ViewOwnOffer = (
  memberId: string | null,
  known?: DatedOffer,
) => Promise<Omit<OwnOffer, 'member_id'>>;

/** The offer or pass of a member and its code, as all pages and answers show it. */
export function openOwnOffers({ database, tills, language }: Options): ViewOwnOffer {
  return async (memberId, known) => {
    const offer = known ?? (memberId === null ? null : await readOfferOf(database, memberId));
    const entry_link = memberId === null ? null : await readEntryLink(database, memberId);
    if (offer === null) return { now: new Date().toISOString(), offer, entry_link };
    const { drop_number, size, code, state, refund } = offer;
    const sizes = state === 'open' ? await listSizes(database) : [];
    return {
      now: offer.now.toISOString(),
      entry_link,
      offer: {
        drop: drop_number,
        state,
        size,
        refund,
        offered_at: offer.offered_at.toISOString(),
        expires_at: offer.ends_at.toISOString(),
        free_sizes: sizes
          .filter(({ name, held }) => held > 0 && name !== size)
          .map(({ name }) => name),
        code,
        ...(await viewAtTill(offer)),
      },
    };
  };

  async function viewAtTill(offer: DatedOffer): Promise<AtTill> {
    const { id, code, state, drop_number: number } = offer;
    const chosen = await tills.chosen();
    const checkout = code === null ? null : await readCheckout(database, id);
    const cost = costOf(chosen, checkout);
    const price = cost && describeCost(cost, language);
    const drop = state === 'open' && tellsUnpaid(chosen) ? await readDrop(database, number) : null;
    const terms = { price, pay_hours: drop?.pay_hours ?? null };
    if (code === null) return { ...terms, checkout: null, shop_link: null };
    const isOwn = chosen.kind !== 'link';
    const { url } = chosen.settings as TillSettings['link'];
    const ends = checkout !== null && tellsUnpaid(chosen);
    return {
      ...terms,
      checkout: ends
        ? { state: checkout.state, pay_by: checkout.pay_by.toISOString(), is_own: isOwn }
        : null,
      shop_link: isOwn ? (checkout?.link ?? null) : url ? linkWithCode(url, code) : null,
    };
  }
}
