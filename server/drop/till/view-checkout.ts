import type { OwnOffer } from '../../../contract/drop/offer-views.ts';
import type { TillSettings } from '../../../contract/operator/drop/till.ts';
import type { Database } from '../../db/database.ts';
import type { OfferRow } from '../offers/offer-store.ts';
import { linkWithCode } from './link-till.ts';
import type { Tills } from './open-tills.ts';
import { readCheckout } from './till-store.ts';

type Shown = Pick<NonNullable<OwnOffer['offer']>, 'checkout' | 'shop_link'>;

export async function viewCheckout(
  { database, tills }: { readonly database: Database; readonly tills: Pick<Tills, 'row'> },
  { id, code }: Pick<OfferRow, 'id' | 'code'>,
): Promise<Shown> {
  if (code === null) return { checkout: null, shop_link: null };
  const [{ kind, settings }, checkout] = await Promise.all([
    tills.row(),
    readCheckout(database, id),
  ]);
  const isOwn = kind !== 'link';
  const { url, reports } = settings as TillSettings['link'];
  const ends = checkout !== null && (isOwn || reports);
  return {
    checkout: ends
      ? { state: checkout.state, pay_by: checkout.pay_by.toISOString(), is_own: isOwn }
      : null,
    shop_link: isOwn ? (checkout?.link ?? null) : url ? linkWithCode(url, code) : null,
  };
}
