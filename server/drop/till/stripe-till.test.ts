import { expect, test } from 'vitest';
import { FakeStripe } from '../../../test/support/fake-stripe.ts';
import { openStripeTill } from './stripe-till.ts';

const PASS = {
  offerId: 'o',
  memberId: 'm',
  key: 'o/1',
  size: 'Small',
  email: null,
  endsAt: new Date(Date.now() + 3_600_000),
};

type Own = Pick<Parameters<typeof openStripeTill>[0], 'fetch' | 'cents' | 'currency'>;

const openTill = (own: Own) =>
  openStripeTill(
    {
      publicUrl: 'https://line.example.com',
      noticesUrl: 'https://line.example.com/n',
      brandName: 'The brand',
      countries: ['DE'],
      ...own,
    },
    { secretKey: 'rk_live_0123456789', webhookSecret: 'whsec_0123456789' },
  );

test.each([
  ['EUR', 9_900, 9_900],
  ['JPY', 9_900, 9_900],
  ['KWD', 9_900, 9_900],
  // Has no decimals, and Stripe counts it in hundredths all the same.
  ['ISK', 9_900, 990_000],
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
    expect(payments).toMatchObject([{ cents, offerId: 'o' }]);
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
  const till = await openTill({ fetch, cents: 9_900, currency: 'EUR' });
  await expect(till.create(PASS)).rejects.toMatchObject({ isAnswer });
});
