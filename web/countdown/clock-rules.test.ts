import { describe, expect, test } from 'vitest';
import { describeLeft, sayLeft, writeClock, writeLeft } from './clock-rules.ts';

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

test('a screen reader announces a few moments', () => {
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

describe('the clock of an offer', () => {
  test.each([
    [12 * 3_600_000, '12:00:00'],
    [12 * 3_600_000 - 1, '12:00:00'],
    [42_127_000, '11:42:07'],
    [1, '00:00:01'],
    [0, '00:00:00'],
    [-5000, '00:00:00'],
    [100 * 3_600_000, '100:00:00'],
  ])('shows %i ms as %s', (left, text) => {
    expect(writeClock(left)).toBe(text);
  });

  test('speaks twenty times in an offer of twelve hours at most, and at the end', () => {
    const said = new Set<string>();
    for (let left = 12 * 3_600_000; left >= 0; left -= 1000) said.add(describeLeft(left));
    expect(said.size).toBeLessThanOrEqual(20);
    expect([...said].slice(-6)).toEqual([
      'Less than 60 minutes left.',
      'Less than 30 minutes left.',
      'Less than 10 minutes left.',
      'Less than 5 minutes left.',
      'Less than a minute left.',
      'This offer has ended.',
    ]);
  });
});
