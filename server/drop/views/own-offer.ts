import type { OwnOffer } from '../../../contract/drop/offer-views.ts';
import type { TillSettings } from '../../../contract/operator/drop/till.ts';
import type { Database } from '../../db/database.ts';
import { describeCost } from '../offers/offer-rules.ts';
import { readOfferOf, type WholeOffer } from '../offers/offer-store.ts';
import { listSizes } from '../stock/store.ts';
import { costOf, tellsUnpaid } from '../till/account-store.ts';
import { readEntryLink } from '../till/entries.ts';
import { linkWithCode } from '../till/link-till.ts';
import type { Tills } from '../till/open-tills.ts';

type Options = {
  readonly database: Database;
  readonly tills: Pick<Tills, 'chosen'>;
  readonly language: string;
};

/** The offer or pass of a member and its code, as all pages and answers show it. */
export function openOwnOffers({ database, tills, language }: Options) {
  return async (memberId: string | null): Promise<Omit<OwnOffer, 'member_id'>> => {
    const offer = memberId === null ? null : await readOfferOf(database, memberId);
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

  async function viewAtTill(offer: WholeOffer) {
    const { code, state, checkout, pay_by: payBy, link } = offer;
    const till = await tills.chosen();
    const cost = costOf(till, offer);
    const ends = tellsUnpaid(till);
    const isOwn = till.kind !== 'link';
    const { url } = till.settings as TillSettings['link'];
    const shopLink = url && code !== null ? linkWithCode(url, code) : null;
    return {
      price: cost && describeCost(cost, language),
      pay_hours: state === 'open' && ends ? offer.pay_hours : null,
      checkout:
        ends && checkout && payBy
          ? { state: checkout, pay_by: payBy.toISOString(), is_own: isOwn }
          : null,
      shop_link: isOwn ? link : shopLink,
    };
  }
}
