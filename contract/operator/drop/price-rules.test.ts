import { expect, test } from 'vitest';
import { writeAmount } from './price-rules.ts';

test.each([
  ['EUR', '99.00'],
  ['JPY', '9900'],
  ['KWD', '9.900'],
  // ICU says otherwise about these, and each version of it something else.
  ['HUF', '99.00'],
  ['RSD', '99.00'],
  ['IDR', '99.00'],
  ['MGA', '9900'],
  ['isk', '9900'],
])('9900 of the smallest unit of %s are written as %s', (currency, written) => {
  expect(writeAmount(9_900, currency)).toBe(written);
});
