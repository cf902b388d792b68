import { expect, test } from 'vitest';
import { settleDigits } from './settle-digits.ts';

const read = (before: string | null, now: string) =>
  settleDigits(before, now).map(({ digit, was, isChanged }) => `${was ?? ''}${isChanged ? '>' : '='}${digit}`);

test('only the places that changed are new, each from what stood there', () => {
  expect(read('#128', '#126')).toEqual(['=#', '=1', '=2', '8>6']);
});

test('units stand under units when the number gets shorter or longer', () => {
  expect(read('#100', '#99')).toEqual(['1>#', '0>9', '0>9']);
  expect(read('#99', '#100')).toEqual(['>#', '#>1', '9>0', '9>0']);
});

test('a number that nobody saw before is new in every place', () => {
  expect(read(null, '#7')).toEqual(['>#', '>7']);
});

test('the same number again changes nothing', () => {
  expect(read('#7', '#7')).toEqual(['=#', '=7']);
});
