import { expect, test } from 'vitest';
import { writeAmount } from './price-rules.ts';

test.each([
  ['EUR', '99.00'],
  ['JPY', '9900'],
  ['KWD', '9.900'],
])('9900 of the smallest unit of %s are written as %s', (currency, written) => {
  expect(writeAmount(9_900, currency)).toBe(written);
});
