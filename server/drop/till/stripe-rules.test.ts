import { expect, test } from 'vitest';
import { assertStripe } from './stripe-rules.ts';

const GOOD = { cents: 9_900, currency: 'EUR', countries: ['DE'] };
const NO_KEYS = {};

test.each([
  [
    'a currency that ISO does not have',
    { ...GOOD, currency: 'XYZ' },
    NO_KEYS,
    'XYZ is no currency',
  ],
  ['a country that ISO does not have', { ...GOOD, countries: ['DE', 'ZZ'] }, NO_KEYS, 'to ZZ'],
  ['a country that Stripe does not take', { ...GOOD, countries: ['CU'] }, NO_KEYS, 'to CU'],
  ['a price of 9.999 KWD', { ...GOOD, cents: 9_999, currency: 'KWD' }, NO_KEYS, 'end with a zero'],
  ['a price above the limit', { ...GOOD, cents: 9_999_999, currency: 'ISK' }, NO_KEYS, 'too high'],
  ['a publishable key', GOOD, { secret_key: 'pk_live_0123456789' }, 'sk_live_'],
  ['a key as signing secret', GOOD, { webhook_secret: 'sk_live_0123456789' }, 'whsec_'],
])('%s is refused before a fan sees it', (_what, settings, keys, why) => {
  expect(() => assertStripe(settings, keys)).toThrow(why);
});

test('prices in all kinds of currencies are taken', () => {
  for (const [cents, currency] of [
    [9_990, 'KWD'],
    [9_900, 'JPY'],
    [9_900, 'isk'],
  ] as const)
    assertStripe(
      { ...GOOD, cents, currency },
      { secret_key: 'rk_test_1', webhook_secret: 'whsec_1' },
    );
});
