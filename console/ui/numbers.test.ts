import { expect, test } from 'vitest';
import { formatAmount, formatBytes, formatCount, formatShare } from './numbers.ts';

test('numbers have thousands, shares one digit, amounts their noun', () => {
  expect(formatCount(12_380)).toBe('12,380');
  expect(formatShare(0.0449)).toBe('4.5%');
  expect([0, 1, 12_380].map((count) => formatAmount(count, 'friend'))).toEqual([
    '0 friends',
    '1 friend',
    '12,380 friends',
  ]);
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [48_200_000, '48.2 MB'],
  [2_500_000_000_000_000, '2500.0 TB'],
])('%i bytes are %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
