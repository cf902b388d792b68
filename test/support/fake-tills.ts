/** Accounts at tills, with fakes of their far sides, and how each is chosen. */
import type { ChangeInput } from '../../contract/operator/changes.ts';
import type { FakeFarSide } from './fake-far-side.ts';
import { FakeShopify, PRODUCT } from './fake-shopify.ts';
import { FakeStripe } from './fake-stripe.ts';

type Account = {
  readonly open: () => FakeFarSide;
  readonly input: ChangeInput<'set-till'>;
  /** The same account with another currency, or another product, which its shop does not have. */
  readonly other: ChangeInput<'set-till'>;
  /** Whether this call is for it. */
  readonly isFor: (url: URL, init: RequestInit) => boolean;
};

const stripeIn = (key: string, currency: string) => ({
  stripe: { cents: 9_900, currency, countries: ['DE'] },
  secret_key: key,
  webhook_secret: `whsec_${key}`,
});
const stripe = (key: string, account: string, first: number): Account => ({
  open: () => new FakeStripe(account, first),
  input: stripeIn(key, 'EUR'),
  other: stripeIn(key, 'SEK'),
  isFor: (_url, { headers }) => new Headers(headers).get('authorization') === `Bearer ${key}`,
});

const shopifyWith = (shop: string, product: string) => ({
  shopify: { shop, client_id: 'an-app-of-ours', product },
  secret_key: 'shpss_1234567890',
});
const shopify = (shop: string, account: string, first: number): Account => ({
  open: () => new FakeShopify(account, first),
  input: shopifyWith(shop, PRODUCT),
  other: shopifyWith(shop, '9'),
  isFor: (url) => url.host === shop,
});

/** Two of each kind, whose ids are apart. */
export const ACCOUNTS: readonly Account[] = [
  stripe('sk_live_1234567890', '1', 0),
  shopify('ghost.myshopify.com', '1', 1_000),
  stripe('sk_test_1234567890', '1', 100_000),
  shopify('other.myshopify.com', '2', 500_000),
];

/** Answers each call by the account that it is for. */
export function openFarSides() {
  const sides = ACCOUNTS.map((account) => ({ ...account, fake: account.open() }));
  return {
    fakes: sides.map(({ fake }) => fake),
    async fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
      const url = new URL(String(input));
      const side = sides.find(({ isFor }) => isFor(url, init));
      if (side === undefined) throw new Error(`Nobody answers ${url.host}.`);
      return await side.fake.fetch(input, init);
    },
  };
}
