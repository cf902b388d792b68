import { apiPaths } from '../../contract/paths.ts';
import { openStripe } from '../../test/support/stripe-at-hand.ts';
import type { OfferRow } from '../store.ts';
import { actOnOffer, type Player } from './answers.ts';

const NEVER = 0.1;
/** Share of the unpaid passes that are paid in an hour. */
const PAYING = 0.5;
/** Share of payments with a notice of the till; the server finds the others itself. */
const NOTICED = 0.5;

type BuyerOptions = Player & { readonly tokenOf: (email: string) => string | null };

/** Members who pay at a fake of Stripe. */
export function openBuyers({ url, tokenOf, random, answers }: BuyerOptions) {
  const { fake, notify } = openStripe();
  const byHand: string[] = [];
  const never = new Map<string, boolean>();
  /** Who has paid does not pay again, although the server may not know of it for minutes. */
  const paidLinks = new Set<string>();

  async function pay({ email }: OfferRow): Promise<string | null> {
    const { offer } = await actOnOffer(url, apiPaths.offer, { token: tokenOf(email) ?? '' });
    if (!offer?.shop_link || paidLinks.has(offer.shop_link)) return null;
    paidLinks.add(offer.shop_link);
    answers.expect('A checkout of a pass takes a payment', fake.pay(offer.shop_link));
    return offer.shop_link;
  }

  return {
    pay,
    payByHand: () => void byHand.push(fake.payByHand()),
    async buy(offers: readonly OfferRow[]): Promise<number> {
      let paid = 0;
      for (const offer of offers.filter(({ state }) => state === 'accepted')) {
        if (!never.has(offer.id)) never.set(offer.id, random.chance(NEVER));
        if (never.get(offer.id) || !random.chance(PAYING)) continue;
        const link = await pay(offer);
        if (link === null) continue;
        paid += 1;
        if (!random.chance(NOTICED)) continue;
        answers.expectStatus('A notice', await notify(url, link), 202);
      }
      return paid;
    },
    /** What the fake has; `kept` are references of payments that were not given back. */
    sold: () => ({
      kept: fake.payments().flatMap((payment) => (payment.isRefunded ? [] : payment.reference)),
      stillOpen: fake.open().length,
      byHand: byHand as readonly string[],
    }),
  };
}
