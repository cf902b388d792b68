import { expect, test } from 'vitest';
import { FakeShopify, PRODUCT } from '../../../test/support/fake-shopify.ts';
import { openShopifyTill } from './shopify-till.ts';

/** The search of the fake finds a new draft some calls late, as Shopify's may. */
const FOUND_AFTER_CALLS = 6;

test('an attempt whose answer was lost gets its draft again, and another attempt its own', async () => {
  const shopify = new FakeShopify();
  const till = await openShopifyTill(
    {
      shop: 'ghost.myshopify.com',
      client_id: 'an-app-of-ours',
      product: PRODUCT,
      publicUrl: 'https://line.example.com',
      noticesUrl: 'https://line.example.com/n',
      brandName: 'The brand',
      fetch: shopify.fetch,
    },
    { secretKey: 'shpss_0123456789' },
  );
  const endsAt = new Date(Date.now() + 3_600_000);
  const pass = { offerId: 'o', memberId: 'm', key: 'o/1', size: 'Small', email: null, endsAt };
  const made = await till.create(pass);
  for (let call = 0; call < FOUND_AFTER_CALLS; call += 1) await till.read(made.id);
  expect(await till.create(pass)).toEqual(made);
  expect((await till.create({ ...pass, key: 'o/2' })).id).not.toBe(made.id);
  expect(shopify.drafts.size).toBe(2);
});
