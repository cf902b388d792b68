import { apiPaths, fillPath } from '../../../contract/paths.ts';
import { FakeStripe } from '../../../test/support/fake-stripe.ts';

const STRIPE = 'https://api.stripe.com/';
export const STRIPE_TILL = {
  stripe: { cents: 8_000, currency: 'EUR', countries: ['DE'] },
  secret_key: 'rk_live_fairness',
  webhook_secret: 'whsec_fairness',
};

/** A fake of Stripe in the process of a server, which it tells of each card that was entered. */
export function openBank() {
  const stripe = new FakeStripe();
  const realFetch = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    String(input).startsWith(STRIPE) ? stripe.fetch(String(input), init) : realFetch(input, init);
  return {
    async pay(link: string, fingerprint: string): Promise<void> {
      const funding = fingerprint.startsWith('prepaid') ? 'prepaid' : 'credit';
      stripe.pay(link, 'plain', { fingerprint, funding });
      const { webhook_secret: secret } = STRIPE_TILL;
      const { body, headers } = stripe.notice(link.split('/').at(-1) ?? '', secret);
      const notices = fillPath(apiPaths.tillNotices, 'stripe');
      const told = { ...headers, 'content-type': 'application/json' };
      const url = `http://127.0.0.1:${process.env.PORT}${notices}`;
      await realFetch(url, { method: 'POST', body, headers: told });
    },
    read: () => ({ holds: stripe.holds().length, captured: stripe.payments().length }),
  };
}

export type Bank = ReturnType<typeof openBank>;
