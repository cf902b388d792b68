import { expect, test } from 'vitest';
import { sayLeft, writeLeft } from './countdown-rules.ts';

const HOUR = 3600_000;

test('the time left counts to zero, and never below', () => {
  expect(writeLeft(51 * HOUR + 4 * 60_000 + 5000, true)).toBe('2 d 03:04:05');
  expect(writeLeft(59_001, true)).toBe('00:01:00');
  expect([writeLeft(1, true), writeLeft(0, true), writeLeft(-5000, true)]).toEqual([
    '00:00:01',
    '00:00:00',
    '00:00:00',
  ]);
  expect(writeLeft(2 * HOUR + 1, false)).toBe('02:01');
});

test('a screen reader is told at a few moments', () => {
  const moments = [49, 24, 1, 0.9, 1 / 6, 1 / 60, 0].map((hours) => sayLeft(hours * HOUR));
  expect(moments).toEqual([
    'in 3 days',
    'within a day',
    'within an hour',
    'within an hour',
    'within ten minutes',
    'within a minute',
    'any moment now',
  ]);
});
