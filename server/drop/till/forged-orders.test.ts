/** Orders of the mask of the till whose notes are forged, or that sell more than one mask. */
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { FakeShopify, PRODUCT } from '../../../test/support/fake-shopify.ts';
import { openShopifyTill } from './shopify-till.ts';

const OFFER = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const SECRET = 'shpss_0123456789';
const PASS = {
  offerId: OFFER,
  memberId: 'm',
  key: `${OFFER}/1`,
  size: 'Small',
  email: null,
  endsAt: new Date(Date.now() + 3_600_000),
};

const open = (fetch: typeof globalThis.fetch) =>
  openShopifyTill(
    {
      shop: 'ghost.myshopify.com',
      client_id: 'an-app-of-ours',
      product: PRODUCT,
      fetch,
      publicUrl: 'https://line.example.com',
      lineId: 'line',
      language: 'en',
      sign: (text) => `signed ${text}`,
      brandName: 'The brand',
      noticesUrl: 'https://line.example.com/n',
    },
    { secretKey: SECRET },
  );

test.each([
  ['a guessed signature', { _attempt: `${OFFER}/1`, _sign: 'guessed' }],
  ['no signature', { _attempt: `${OFFER}/1` }],
  ['the signature of another attempt', { _attempt: `${OFFER}/1`, _sign: `signed ${OFFER}/2` }],
])('an attempt with %s is none of this line', async (_what, notes) => {
  const till = await open(new FakeShopify().fetch);
  const body = JSON.stringify({
    admin_graphql_api_id: 'gid://shopify/Order/1',
    note_attributes: Object.entries(notes).map(([name, value]) => ({ name, value })),
  });
  const signature = createHmac('sha256', SECRET).update(body).digest('base64');
  const notice = till.readNotice({ 'x-shopify-hmac-sha256': signature }, Buffer.from(body));
  expect(notice).toEqual({ ids: ['gid://shopify/Order/1'], isOurs: false });
});

type Line = { quantity: number };
test.each([
  ['two masks', (line: Line) => [{ ...line, quantity: 2 }]],
  ['a sticker beside it', (line: Line) => [line, { ...line, product: { id: 'sticker' } }]],
])('an order of %s did not sell one mask', async (_what, sold) => {
  const shopify = new FakeShopify();
  const till = await open(async (...call) => {
    const answer = await shopify.fetch(...call);
    const change = (key: string, value: { nodes: [Line] } | undefined) =>
      key === 'lineItems' && value !== undefined ? { nodes: sold(value.nodes[0]) } : value;
    return Response.json(JSON.parse(await answer.text(), change), { status: answer.status });
  });
  const { id, link } = await till.create(PASS);
  shopify.pay(link ?? '');
  expect((await till.read(id)).payment).toMatchObject({ cents: 9_900, maskCents: null });
});
