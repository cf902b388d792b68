import { expect, test } from 'vitest';
import { diffDigits } from './diff-digits.ts';

const read = (before: string | null, now: string) =>
  diffDigits(before, now).map(
    ({ digit, was, isChanged }) => `${was ?? ''}${isChanged ? '>' : '='}${digit}`,
  );

test('only digits that differ changed, each from the one before', () => {
  expect(read('#128', '#126')).toEqual(['=#', '=1', '=2', '8>6']);
});

test('units are compared with units when the number gets shorter or longer', () => {
  expect(read('#100', '#99')).toEqual(['1>#', '0>9', '0>9']);
  expect(read('#99', '#100')).toEqual(['>#', '#>1', '9>0', '9>0']);
});

test('without a number before it every digit changed', () => {
  expect(read(null, '#7')).toEqual(['>#', '>7']);
});

test('the same number again changes nothing', () => {
  expect(read('#7', '#7')).toEqual(['=#', '=7']);
});
