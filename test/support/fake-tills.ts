/** Each till with a fake of its far side, and how it is chosen. */
import type { ChangeInput } from '../../contract/operator/changes.ts';
import type { FakeFarSide } from './fake-far-side.ts';
import { FakeShopify, PRODUCT } from './fake-shopify.ts';
import { FakeStripe } from './fake-stripe.ts';

type Till = { readonly open: () => FakeFarSide; readonly input: ChangeInput<'set-till'> };

export const TILLS: readonly Till[] = [
  {
    open: () => new FakeStripe(),
    input: {
      stripe: { cents: 9_900, currency: 'EUR', countries: ['DE'] },
      secret_key: 'sk_live_1234567890',
      webhook_secret: 'whsec_1234567890',
    },
  },
  {
    open: () => new FakeShopify(),
    input: {
      shopify: { shop: 'ghost.myshopify.com', client_id: 'an-app-of-ours', product: PRODUCT },
      secret_key: 'shpss_1234567890',
    },
  },
];
