import type { OwnOffer } from '../../../contract/drop/offer-views.ts';
import type { TillSettings } from '../../../contract/operator/drop/till.ts';
import type { Database } from '../../db/database.ts';
import { type Cost, describeCost } from '../offers/offer-rules.ts';
import type { OfferRow } from '../offers/offer-store.ts';
import { readDrop } from '../steps/drop-store.ts';
import type { Account } from './account-store.ts';
import { linkWithCode } from './link-till.ts';
import type { Tills } from './open-tills.ts';
import { readCheckout } from './till-store.ts';

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

/** Null where the till alone knows what a mask costs. */
export function costOf({ settings }: Pick<Account, 'settings'>): Cost | null {
  return settings !== null && 'cents' in settings
    ? { cents: settings.cents, currency: settings.currency }
    : null;
}

export async function viewCheckout(
  { database, tills, language }: Options,
  { id, code, state, drop_number: number }: Pick<OfferRow, 'id' | 'code' | 'state' | 'drop_number'>,
): Promise<Shown> {
  const chosen = await tills.chosen();
  const cost = costOf(chosen);
  const price = cost && describeCost(cost, language);
  const drop = state === 'open' && tellsUnpaid(chosen) ? await readDrop(database, number) : null;
  const terms = { price, pay_hours: drop?.pay_hours ?? null };
  if (code === null) return { ...terms, checkout: null, shop_link: null };
  const checkout = await readCheckout(database, id);
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
