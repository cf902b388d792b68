/** The shops of the tests of the till: fakes, written from the public API descriptions. */
import type { FakeFarSide } from '../support/fake-far-side.ts';
import { FakeShopify, PRODUCT } from '../support/fake-shopify.ts';
import { FakeStripe } from '../support/fake-stripe.ts';

export type Shop = {
  readonly kind: 'stripe' | 'shopify';
  readonly name: string;
  readonly fake: FakeFarSide;
  readonly settings: object;
  readonly keys: Readonly<Record<string, string>>;
  /** The secret that signs its notices. */
  readonly secret: string;
  readonly lacks: string;
  /** The end of a sentence for owners, and what members read for 99 and 120 euros. */
  readonly costs: string;
  readonly prices: readonly [string, string];
  readonly checkouts: RegExp;
  /** Makes others able to buy, or nobody; the test button finds so much good and bad. */
  readonly sells: (isOpen: boolean, noticesUrl: string) => void;
  readonly found: readonly boolean[];
  /** A signed call about the checkout with this link; without it, about something else. */
  readonly notice: (link: string, secret: string) => { body: string; headers: object };
  /** Keys, and for a shop its address, of another account. */
  readonly other: { readonly settings: object; readonly keys: Readonly<Record<string, string>> };
  readonly taken: string;
};

export const stripe = new FakeStripe();
export const shopify = new FakeShopify();
const PRICE = { cents: 9_900, currency: 'EUR', countries: ['DE', 'AT'] };
export const SHOPS: readonly Shop[] = [
  {
    kind: 'stripe',
    name: 'Stripe',
    fake: stripe,
    secret: 'whsec_0123456789',
    settings: PRICE,
    keys: { secret_key: 'rk_live_0123456789', webhook_secret: 'whsec_0123456789' },
    lacks: 'Stripe needs its secret key and webhook secret.',
    costs: '99.00 EUR, shipping included.',
    prices: ['€99.00', '€120.00'],
    checkouts: /^https:\/\/checkout\.stripe\.com\//,
    sells: (isOpen, noticesUrl) => {
      stripe.paymentLinks = isOpen ? ['plink_1'] : [];
      stripe.webhooks = isOpen ? [] : [{ url: noticesUrl, enabled_events: ['*'] }];
    },
    found: [true, true, false, false],
    notice: (link, secret) => {
      const type = link === '' ? 'charge.refunded' : 'checkout.session.completed';
      return stripe.notice(link.split('/').at(-1) ?? '', secret, type);
    },
    other: {
      settings: PRICE,
      keys: { secret_key: 'sk_test_0123456789', webhook_secret: 'whsec_0123456789' },
    },
    taken: 'Stripe has 1 open checkout or refund: wait until they are settled.',
  },
  {
    kind: 'shopify',
    name: 'Shopify',
    fake: shopify,
    secret: 'shpss_0123456789',
    settings: { shop: 'ghost.myshopify.com', client_id: 'an-app-of-ours', product: PRODUCT },
    keys: { secret_key: 'shpss_0123456789' },
    lacks: 'Shopify needs its secret key.',
    costs: '99.00 EUR plus shipping.',
    prices: ['€99.00 plus shipping', '€120.00 plus shipping'],
    checkouts: /^https:\/\/ghost\.example\.com\/invoices\//,
    sells: (isOpen) => {
      shopify.isPublished = isOpen;
      shopify.variants = isOpen ? ['Small'] : ['small', 'medium', 'large'];
    },
    found: [false, false, true, true],
    // Orders are sent whole, and are long.
    notice: (link, secret) => shopify.notice(link, secret, 200_000),
    other: {
      settings: { shop: 'other.myshopify.com', client_id: 'an-app-of-ours', product: PRODUCT },
      keys: { secret_key: 'shpss_0123456789' },
    },
    taken: 'Shopify has 1 open checkout or refund: wait until they are settled.',
  },
];
