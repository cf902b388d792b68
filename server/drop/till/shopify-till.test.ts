import { expect, test } from 'vitest';
import { FakeShopify, PRODUCT } from '../../../test/support/fake-shopify.ts';
import { openShopifyTill } from './shopify-till.ts';

/** The search of the fake finds a new draft some calls late, as Shopify's may. */
const FOUND_AFTER_CALLS = 6;

const OFFER = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const sign = (text: string) => `signed ${text}`;
const open = (shopify: FakeShopify) =>
  openShopifyTill(
    {
      shop: 'ghost.myshopify.com',
      client_id: 'an-app-of-ours',
      product: PRODUCT,
      publicUrl: 'https://line.example.com',
      lineId: 'line',
      sign,
      language: 'en',
      noticesUrl: 'https://line.example.com/n',
      brandName: 'The brand',
      fetch: shopify.fetch,
    },
    { secretKey: 'shpss_0123456789' },
  );
const pass = {
  offerId: OFFER,
  memberId: 'm',
  key: `${OFFER}/1`,
  size: 'Small',
  email: null,
  endsAt: new Date(Date.now() + 3_600_000),
};

test('an attempt whose answer was lost gets its draft again, another attempt its own', async () => {
  const shopify = new FakeShopify();
  const till = await open(shopify);
  const made = await till.create(pass);
  for (let call = 0; call < FOUND_AFTER_CALLS; call += 1) await till.read(made.id);
  expect(await till.create(pass)).toEqual(made);
  expect((await till.create({ ...pass, key: `${OFFER}/2` })).id).not.toBe(made.id);
  expect(shopify.drafts.size).toBe(2);
});

test('an order is believed that bears a signed attempt and sold the mask of the till', async () => {
  const shopify = new FakeShopify();
  const till = await open(shopify);
  const { link } = await till.create(pass);
  const forged = shopify.forge(OFFER);
  expect(forged).toHaveLength(3);
  shopify.pay(link ?? '');
  for (let call = 0; call < FOUND_AFTER_CALLS; call += 1) await till.identify();
  const { payments } = await till.list(new Date(0));
  expect(payments).toMatchObject([
    { offerId: OFFER, cents: 9_900, maskCents: 9_900, currency: 'eur' },
  ]);
  expect(forged).not.toContain(payments[0]?.reference);
});

test('an answer without a token lets nobody in, whatever its status', async () => {
  const shopify = new FakeShopify();
  shopify.faults.push('429');
  const till = await open(shopify);
  await expect(till.identify()).rejects.toThrow('Shopify lets nobody in: it answered 200.');
  expect(await till.identify()).toMatchObject({ isLive: true });
});

test('a call that costs too much for now is made again once it may be', async () => {
  const shopify = new FakeShopify();
  const till = await open(shopify);
  const { link } = await till.create(pass);
  shopify.pay(link ?? '');
  for (let call = 0; call < FOUND_AFTER_CALLS; call += 1) await till.identify();
  shopify.faults.push('429', 'none', '429');
  expect((await till.list(new Date(0))).payments).toMatchObject([{ offerId: OFFER }]);
  shopify.faults.push(...Array(9).fill('429'));
  await expect(till.identify()).rejects.toMatchObject({ retryAfterMs: 5 });
});

test('an authorised payment is none, and is released at the end', async () => {
  const shopify = new FakeShopify();
  shopify.status = 'AUTHORIZED';
  const till = await open(shopify);
  const { id, link } = await till.create(pass);
  shopify.pay(link ?? '');
  expect(await till.read(id)).toMatchObject({ state: 'pending', payment: null });
  for (let call = 0; call < 3; call += 1) await till.end(id);
  expect(await till.end(id)).toMatchObject({ state: 'ended', payment: null });
});

test('an order that cannot be cancelled is for the owner, and ends its checkout', async () => {
  const shopify = new FakeShopify();
  Object.assign(shopify, { status: 'PENDING', isFulfilling: true });
  const till = await open(shopify);
  const { id, link } = await till.create(pass);
  shopify.pay(link ?? '');
  const { state, payment } = await till.end(id);
  expect(state).toBe('ended');
  expect(payment?.problem).toBe(
    'Shopify does not cancel its order: Cannot cancel a fulfilled order',
  );
  await expect(till.refund({ id: payment?.id ?? '', key: '' })).rejects.toMatchObject({
    isFinal: true,
  });
});

test('refunds in part and chargebacks are read', async () => {
  const shopify = new FakeShopify();
  const till = await open(shopify);
  for (const [how, refundedCents, disputedCents] of [
    ['part', 3_300, 0],
    ['refund', 9_900, 0],
    ['dispute', 0, 9_900],
    ['win', 0, 0],
  ] as const) {
    const key = `${OFFER}/${how === 'dispute' || how === 'win' ? 2 : 1}`;
    const { id, link } = await till.create({ ...pass, key });
    shopify.pay(link ?? '');
    expect(shopify.move(OFFER, how)).toBe(true);
    const { payment } = await till.read(id);
    expect(payment).toMatchObject({ refundedCents, disputedCents });
    expect(await till.readPayment(payment?.id ?? '')).toMatchObject({ refundedCents });
  }
});

test('what a mask costs is read, and a checkout is judged by what it was made for', async () => {
  const shopify = new FakeShopify();
  const till = await open(shopify);
  const cost = { cents: 9_900, currency: 'EUR', plus: 'shipping' };
  expect(await till.readCost()).toEqual(cost);
  Object.assign(shopify, { variantPrice: 12_000, taxesIncluded: false });
  expect(await till.readCost()).toEqual({ ...cost, cents: 12_000, plus: 'shipping and tax' });
  const made = await till.create(pass);
  expect(made).toMatchObject({ cents: 12_000, currency: 'eur' });
  shopify.variantPrice = 9_900;
  shopify.pay(made.link ?? '');
  expect(await till.read(made.id)).toMatchObject({ payment: { maskCents: 12_000 } });
});

test('sizes that differ in price keep offers from saying one, and the test says so', async () => {
  const shopify = new FakeShopify();
  shopify.premium = 100;
  const till = await open(shopify);
  expect(await till.readCost()).toBeNull();
  expect(await till.check(['Small'])).toContainEqual({
    is_good: false,
    sentence: 'Its variants differ in price, so no offer says what a mask costs.',
  });
});

test('a whole order in a notice is read, and a body that is no order is none of ours', async () => {
  const shopify = new FakeShopify();
  const till = await open(shopify);
  const { link } = await till.create(pass);
  shopify.pay(link ?? '');
  const { body, headers } = shopify.notice(link ?? '', 'shpss_0123456789');
  const notice = till.readNotice(headers, Buffer.from(body));
  expect(notice).toMatchObject({ isOurs: true });
  expect(notice?.ids).toContain(OFFER);
  expect(till.readNotice(headers, Buffer.from(`${body} `))).toBeNull();
});
