import { expect, test } from 'vitest';
import { FakeStripe } from '../../../test/support/fake-stripe.ts';
import { openStripeTill } from './stripe-till.ts';

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
    const urls = {
      publicUrl: 'https://line.example.com',
      noticesUrl: 'https://line.example.com/n',
    };
    const till = await openStripeTill(
      { ...urls, brandName: 'The brand', fetch: stripe.fetch, cents, currency, countries: ['DE'] },
      { secretKey: 'rk_live_0123456789', webhookSecret: 'whsec_0123456789' },
    );
    const endsAt = new Date(Date.now() + 3_600_000);
    const pass = { offerId: 'o', memberId: 'm', key: 'o/1', size: 'Small', email: null, endsAt };
    const { link } = await till.create(pass);
    expect([...stripe.sessions.values()]).toMatchObject([{ amount_total: units }]);
    stripe.pay(link ?? '');
    const { payments } = await till.list(new Date(0));
    expect(payments).toMatchObject([{ cents, offerId: 'o' }]);
  },
);
