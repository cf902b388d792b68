/** A fake of Stripe in the process of a server: it answers the calls of a till, and notifies it. */
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { FakeStripe } from './fake-stripe.ts';

const STRIPE = 'https://api.stripe.com/';
const KEYS = { secret_key: 'rk_live_at_hand', webhook_secret: 'whsec_at_hand' };

/** The till of a drop whose masks cost so much. */
export const stripeTill = (cents: number) => ({
  stripe: { cents, currency: 'EUR', countries: ['DE'] },
  ...KEYS,
});

/** Takes the place of `fetch` for calls to Stripe. */
export function openStripe() {
  const fake = new FakeStripe();
  const realFetch = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    String(input).startsWith(STRIPE) ? fake.fetch(String(input), init) : realFetch(input, init);
  return {
    fake,
    /** Notifies the server of what became of a checkout. Resolves to the status of its answer. */
    async notify(serverUrl: string, link: string): Promise<number> {
      const { body, headers } = fake.notice(link.split('/').at(-1) ?? '', KEYS.webhook_secret);
      const answer = await realFetch(serverUrl + fillPath(apiPaths.tillNotices, 'stripe'), {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      });
      return answer.status;
    },
  };
}
