import { expect, test } from 'vitest';
import { FakeStripe } from '../../../test/support/fake-stripe.ts';
import { openStripeTill } from './stripe-till.ts';

const OFFER = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const PASS = {
  offerId: OFFER,
  memberId: 'm',
  key: `${OFFER}/1`,
  size: 'Small',
  email: null,
  endsAt: new Date(Date.now() + 3_600_000),
};

type Options = Parameters<typeof openStripeTill>[0];
type Own = Pick<Options, 'fetch'> & Partial<Options>;

const openTill = (own: Own) =>
  openStripeTill(
    {
      publicUrl: 'https://line.example.com',
      noticesUrl: 'https://line.example.com/n',
      brandName: 'The brand',
      language: 'de',
      lineId: 'line',
      sign: (text: string) => text,
      countries: ['DE'],
      cents: 9_900,
      currency: 'EUR',
      ...own,
    },
    { secretKey: 'rk_live_0123456789', webhookSecret: 'whsec_0123456789' },
  );

test.each([
  ['EUR', 9_900, 9_900],
  ['JPY', 9_900, 9_900],
  ['KWD', 9_990, 9_990],
  // ISK and UGX have no decimals, and Stripe counts them in hundredths all the same.
  ['ISK', 9_900, 990_000],
  ['UGX', 9_900, 990_000],
  ['HUF', 990_000, 990_000],
  ['TWD', 990_000, 990_000],
  ['MGA', 9_900, 9_900],
])(
  'a price in %s is told to the fake of Stripe in the units that Stripe counts',
  async (...row) => {
    const [currency, cents, units] = row;
    const stripe = new FakeStripe();
    const till = await openTill({ fetch: stripe.fetch, cents, currency });
    const { link } = await till.create(PASS);
    expect([...stripe.sessions.values()]).toMatchObject([{ amount_total: units }]);
    stripe.pay(link ?? '');
    const { payments } = await till.list(new Date(0));
    expect(payments).toMatchObject([{ cents, maskCents: cents, offerId: OFFER }]);
  },
);

test.each([
  ['a conflict of two requests with one key', 409, false],
  ['too many requests', 429, false],
  ['a refusal', 402, true],
])('%s (%i) is the answer for that key: %s', async (_name, status, isAnswer) => {
  const fetch = async () =>
    new Response(JSON.stringify({ error: { message: 'No.' } }), {
      status,
      headers: { 'content-type': 'application/json' },
    });
  const till = await openTill({ fetch });
  await expect(till.create(PASS)).rejects.toMatchObject({ isAnswer });
});

test('address and language stand in the checkout, unless Stripe does not know them', async () => {
  const stripe = new FakeStripe();
  const till = await openTill({ fetch: stripe.fetch });
  await till.create({ ...PASS, email: 'ada@example.com' });
  await till.create({ ...PASS, key: 'o/2', email: 'ada@localhost' });
  const other = await openTill({ fetch: stripe.fetch, language: 'tlh' });
  await other.create({ ...PASS, key: 'o/3', email: null });
  expect([...stripe.sessions.values()]).toMatchObject([
    { email: 'ada@example.com', locale: 'de' },
    { email: null, locale: 'de' },
    { email: null, locale: 'auto' },
  ]);
});

test('only sales that bear the id of the line are read', async () => {
  const stripe = new FakeStripe();
  const till = await openTill({ fetch: stripe.fetch });
  const sell = (metadata: Record<string, string>) =>
    stripe.sell({ metadata, status: 'complete', amount: 9_900 });
  const own = sell({ line: 'line', offer: 'x' });
  for (const metadata of [{}, { line: 'other', offer: OFFER }]) sell(metadata);
  const { payments } = await till.list(new Date(0));
  // What is no UUID never reaches the database.
  expect(payments).toMatchObject([{ id: own, offerId: null }]);
});

test('an entry holds the price on a card, which is captured or released once', async () => {
  const stripe = new FakeStripe();
  const till = await openTill({ fetch: stripe.fetch });
  const enter = async (key: string) => {
    const { id, link } = await till.create({ ...PASS, key, size: null });
    stripe.pay(link ?? '', 'plain', { fingerprint: 'ab', funding: 'prepaid' });
    return id;
  };
  const [first, second, third] = [await enter('o/1'), await enter('o/2'), await enter('o/3')];
  const held = await till.end(first);
  expect(held).toMatchObject({ state: 'held', payment: null });
  expect(held.hold).toMatchObject({ card: 'ab', isPrepaid: true, cents: 9_900, currency: 'eur' });
  const leftMs = (held.hold?.captureBefore?.getTime() ?? 0) - Date.now();
  expect(Math.round(leftMs / 86_400_000)).toBe(7);
  for (let time = 0; time < 2; time += 1)
    expect(await till.holds?.capture(first)).toMatchObject({
      state: 'paid',
      payment: { cents: 9_900, offerId: OFFER },
    });
  expect(await till.holds?.release(first)).toMatchObject({ state: 'paid' });
  for (let time = 0; time < 2; time += 1)
    expect(await till.holds?.release(second)).toMatchObject({ state: 'ended', payment: null });
  expect(await till.holds?.capture(second)).toMatchObject({ state: 'ended' });
  stripe.passMs(7 * 86_400_000);
  expect(await till.holds?.capture(third)).toMatchObject({ state: 'ended', payment: null });
  expect(stripe.payments()).toHaveLength(1);
});

test('a refused capture leaves the hold, and one that got lost is repeated', async () => {
  const stripe = new FakeStripe();
  const till = await openTill({ fetch: stripe.fetch });
  const { id, link } = await till.create({ ...PASS, size: null });
  stripe.pay(link ?? '', 'plain', { fingerprint: 'ab', funding: 'credit', isRefusing: true });
  stripe.faults.push('none', '500');
  await expect(till.holds?.capture(id)).rejects.toThrow('Stripe answered 500');
  expect(await till.holds?.capture(id)).toMatchObject({ state: 'held' });
});

test('refunds of any age, those that fail later, and disputes are read', async () => {
  const stripe = new FakeStripe();
  const till = await openTill({ fetch: stripe.fetch });
  const { id, link } = await till.create(PASS);
  stripe.pay(link ?? '');
  const payment = (await till.read(id)).payment?.id ?? '';
  for (const [how, refundedCents, disputedCents] of [
    ['part', 3_300, 0],
    ['fail', 0, 0],
    ['dispute', 0, 9_900],
  ] as const) {
    stripe.move(OFFER, how);
    expect(await till.readPayment(payment)).toMatchObject({ refundedCents, disputedCents });
  }
  await expect(till.refund({ id: payment, key: 'a' })).rejects.toMatchObject({ isFinal: true });
  stripe.move(OFFER, 'win');
  expect(await till.readPayment(payment)).toMatchObject({ disputedCents: 0 });
  stripe.move(OFFER, 'part');
  await till.refund({ id: payment, key: 'b' });
  await till.refund({ id: payment, key: 'c' });
  expect(await till.readPayment(payment)).toMatchObject({ refundedCents: 9_900 });
  for (const type of ['charge.refunded', 'refund.failed', 'charge.dispute.created']) {
    const { body, headers } = stripe.notice(payment, 'whsec_0123456789', type);
    expect(till.readNotice(headers, Buffer.from(body))?.ids).toContain(payment);
  }
});

test('more refunds are read than a charge shows', async () => {
  const stripe = new FakeStripe();
  const till = await openTill({ fetch: stripe.fetch });
  const { id, link } = await till.create(PASS);
  stripe.pay(link ?? '');
  for (let part = 0; part < 12; part += 1) expect(stripe.move(OFFER, 'part')).toBe(true);
  const [{ refundedCents } = {}] = stripe.payments();
  expect((await till.read(id)).payment).toMatchObject({ refundedCents });
});

test('the account is named by a restricted key that may not read it', async () => {
  const till = await openTill({ fetch: new FakeStripe('1Other').fetch });
  expect(await till.identify()).toEqual({ farId: 'acct_1Other', isLive: true });
});

test.each([
  ['a price below the least one', { cents: 1 }, 'The total amount is too small.'],
  ['a country that one session refuses', { countries: ['DE', 'VA'] }, 'allowed_countries: VA'],
])('the test makes a checkout and ends it, and so finds %s', async (_what, own, why) => {
  const stripe = new FakeStripe();
  const find = async (more: Partial<Options>) =>
    (await (await openTill({ fetch: stripe.fetch, ...more })).check(['Small'])).filter(
      ({ sentence }) => /^A checkout|^Nobody can pay/.test(sentence),
    );
  expect(await find({})).toMatchObject([{ is_good: true }]);
  expect(stripe.open()).toEqual([]);
  expect(stripe.sessions.size).toBe(1);
  const [found] = await find(own);
  expect(found).toMatchObject({ is_good: false });
  expect(found?.sentence).toContain(why);
});

test('a key that lacks a right is told which rights it needs', async () => {
  const body = JSON.stringify({ error: { message: 'The provided key lacks a permission.' } });
  const headers = { 'content-type': 'application/json' };
  const till = await openTill({ fetch: async () => new Response(body, { status: 403, headers }) });
  await expect(till.create(PASS)).rejects.toThrow(
    'rights to write Checkout Sessions, PaymentIntents',
  );
});
