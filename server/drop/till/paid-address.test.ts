import { expect, test } from 'vitest';
import { FakeShopify, PRODUCT } from '../../../test/support/fake-shopify.ts';
import { FakeStripe } from '../../../test/support/fake-stripe.ts';
import { ADDRESS } from '../../../test/support/sample-address.ts';
import { openShopifyTill } from './shopify-till.ts';
import { openStripeTill } from './stripe-till.ts';

const OURS = {
  publicUrl: 'https://line.example.com',
  noticesUrl: 'https://line.example.com/n',
  brandName: 'The brand',
  language: 'en',
  lineId: 'a-line',
  sign: (text: string) => text,
};
const PASS = {
  offerId: 'o',
  memberId: 'm',
  key: 'o/1',
  size: 'Small',
  email: null,
  endsAt: new Date(Date.now() + 3_600_000),
};

test('a payment at Stripe says where the mask goes, whoever reports it', async () => {
  const stripe = new FakeStripe();
  const { name, address_1: line1, postcode, town: city, country } = ADDRESS;
  const address = { line1, line2: null, postal_code: postcode, city, state: null, country };
  Object.assign(stripe, { shipsTo: { name, address }, phone: '+49 (0)170 123-456' });
  const settings = { cents: 9_900, currency: 'EUR', countries: ['DE'] };
  const till = await openStripeTill(
    { ...OURS, ...settings, fetch: stripe.fetch },
    { secretKey: 'rk_live_0123456789', webhookSecret: 'whsec_0123456789' },
  );
  const { id, link } = await till.create(PASS);
  stripe.pay(link ?? '');
  expect((await till.read(id)).payment?.address).toEqual(ADDRESS);
  expect((await till.list(new Date(0))).payments[0]?.address).toEqual(ADDRESS);
  stripe.shipsTo = null;
  expect((await till.read(id)).payment?.address).toBeNull();
});

test('an order of Shopify says where the mask goes', async () => {
  const shopify = new FakeShopify();
  const { name, address_1: address1, postcode: zip, town: city, country, phone } = ADDRESS;
  const street = { name, address1, address2: null, zip, city, provinceCode: null, phone };
  shopify.shipsTo = { ...street, countryCodeV2: country };
  const settings = { shop: 'ghost.myshopify.com', client_id: 'an-app-of-ours', product: PRODUCT };
  const till = await openShopifyTill(
    { ...OURS, ...settings, fetch: shopify.fetch },
    { secretKey: 'shpss_0123456789' },
  );
  const { id, link } = await till.create(PASS);
  shopify.pay(link ?? '');
  expect((await till.read(id)).payment?.address).toEqual(ADDRESS);
});
