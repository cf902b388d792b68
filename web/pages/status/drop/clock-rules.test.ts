import { describe, expect, test } from 'vitest';
import { describeLeft, writeClock } from './clock-rules.ts';

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
