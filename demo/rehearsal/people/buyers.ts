import type { Money } from '../../../contract/operator/drop/till.ts';
import { apiPaths, fillPath } from '../../../contract/paths.ts';
import type { Fault } from '../../../test/support/fake-far-side.ts';
import { FakeStripe } from '../../../test/support/fake-stripe.ts';
import type { OfferRow } from '../rehearsal-store.ts';
import { type Answers, actOnOffer } from './member-acts.ts';

const STRIPE = 'https://api.stripe.com/';
const KEYS = { secret_key: 'rk_live_rehearsal', webhook_secret: 'whsec_rehearsal' };
export const STRIPE_TILL = {
  stripe: { cents: 9_900, currency: 'EUR', countries: ['DE'] },
  ...KEYS,
};
const NEVER = 0.1;
/** Share of the unpaid passes that are paid in an hour. */
const PAYING = 0.5;
/** Share of payments with a notice of the till; the server finds the others itself. */
const NOTICED = 0.5;
const FAULTS: readonly Fault[] = ['429', '500', '500-done', 'lost', 'lost-done'];
const FAULTY_HOURS = 0.5;

type BuyerOptions = {
  readonly url: string;
  readonly tokenOf: (memberId: string) => string | null;
  readonly random: () => number;
  readonly answers: Answers;
};

export function openBuyers({ url, tokenOf, random, answers }: BuyerOptions) {
  const fake = new FakeStripe();
  const byHand: string[] = [];
  const never = new Map<string, boolean>();
  /** Who has paid does not pay again, although the server may not know of it for minutes. */
  const paidLinks = new Set<string>();
  let faults = 0;
  const realFetch = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    String(input).startsWith(STRIPE) ? fake.fetch(String(input), init) : realFetch(input, init);

  async function notify(session: string, secret: string): Promise<number> {
    const { body, headers } = fake.notice(session, secret);
    const path = url + fillPath(apiPaths.tillNotices, 'stripe');
    const type = { 'content-type': 'application/json' };
    return (await fetch(path, { method: 'POST', headers: { ...headers, ...type }, body })).status;
  }

  async function pay({ member_id: id }: OfferRow): Promise<string | null> {
    const { offer } = await actOnOffer(url, 'look', tokenOf(id) ?? '');
    if (!offer?.shop_link || paidLinks.has(offer.shop_link)) return null;
    paidLinks.add(offer.shop_link);
    answers.expect('A checkout of a pass takes a payment', fake.pay(offer.shop_link));
    return offer.shop_link.split('/').at(-1) ?? null;
  }

  return {
    pay,
    payByHand: () => void byHand.push(fake.payByHand()),
    disturb(): void {
      if (random() > FAULTY_HOURS) return;
      const next = FAULTS[Math.floor(random() * FAULTS.length)] ?? '429';
      fake.faults.push(next, 'none', next);
      faults += 2;
    },
    async buy(offers: readonly OfferRow[]): Promise<number> {
      let paid = 0;
      for (const offer of offers.filter(({ state }) => state === 'accepted')) {
        if (!never.has(offer.id)) never.set(offer.id, random() < NEVER);
        if (never.get(offer.id) || random() > PAYING) continue;
        const session = await pay(offer);
        if (session === null) continue;
        paid += 1;
        if (random() > NOTICED) continue;
        if (paid === 1)
          answers.expectStatus('A forged notice', await notify(session, 'whsec_forged'), 401);
        answers.expectStatus('A notice', await notify(session, KEYS.webhook_secret), 202);
      }
      return paid;
    },
    sold: ({ rows }: Money) => ({
      rows,
      taken: fake.payments(),
      stillOpen: fake.open().length,
      byHand,
      faults: faults - fake.faults.filter((one) => one !== 'none').length,
    }),
  };
}
