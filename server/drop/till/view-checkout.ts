import type { OwnOffer } from '../../../contract/drop/offer-views.ts';
import type { TillSettings } from '../../../contract/operator/drop/till.ts';
import type { Database } from '../../db/database.ts';
import type { OfferRow } from '../../db/schema/feature-tables.ts';
import { readDrop } from '../drop-store.ts';
import { type Cost, describeCost, type Price } from '../offers/offer-rules.ts';
import type { Account } from './account-store.ts';
import { readCheckout } from './checkout-store.ts';
import { linkWithCode } from './link-till.ts';
import type { Tills } from './open-tills.ts';

type Shown = Pick<NonNullable<OwnOffer['offer']>, 'checkout' | 'shop_link' | 'price' | 'pay_hours'>;

type Options = {
  readonly database: Database;
  readonly tills: Pick<Tills, 'chosen'>;
  readonly language: string;
};

/** Whether the server learns of each payment, so that a pass without one is not paid. */
export function tellsUnpaid({ kind, settings }: Pick<Account, 'kind' | 'settings'>): boolean {
  return kind !== 'link' || (settings as TillSettings['link'] | null)?.reports === true;
}

/** What a mask costs, by its checkout once that is made; null where the shop alone says it. */
export function costOf(
  { settings }: Pick<Account, 'settings'>,
  made: Price | null = null,
): Cost | null {
  const known: Partial<Cost> = settings ?? {};
  const { cents, currency } = made?.cents == null ? known : made;
  return cents == null || currency == null ? null : { ...known, cents, currency };
}

export async function viewCheckout(
  { database, tills, language }: Options,
  { id, code, state, drop_number: number }: Pick<OfferRow, 'id' | 'code' | 'state' | 'drop_number'>,
): Promise<Shown> {
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
