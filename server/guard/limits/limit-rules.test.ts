import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepFinds } from '../../../test/support/keep-finds.ts';
import { JOINS_PER_IP, recentCount, secondsUntilAllowed, windowAt } from './limit-rules.ts';

const counts = fc.record({
  current: fc.integer({ min: 0, max: JOINS_PER_IP.max }),
  previous: fc.integer({ min: 0, max: JOINS_PER_IP.max }),
  passed: fc.double({ min: 0, max: 0.999999, noNaN: true }),
});

test('the previous window counts in proportion to what still lies within the time', () => {
  expect(recentCount({ current: 3, previous: 8, passed: 0 })).toBe(11);
  expect(recentCount({ current: 3, previous: 8, passed: 0.75 })).toBe(5);
});

test('windows follow one another without a gap', () => {
  expect(windowAt(JOINS_PER_IP, 599_999).index).toBe(0);
  expect(windowAt(JOINS_PER_IP, 600_000)).toEqual({ index: 1, passed: 0 });
  expect(windowAt(JOINS_PER_IP, 900_000)).toEqual({ index: 1, passed: 0.5 });
});

test('the limit itself is allowed, and one more is not', () => {
  const { max } = JOINS_PER_IP;
  expect(
    secondsUntilAllowed(JOINS_PER_IP, { current: max - 1, previous: 0, passed: 0.5 }),
  ).toBeNull();
  expect(
    secondsUntilAllowed(JOINS_PER_IP, { current: max, previous: 0, passed: 0.5 }),
  ).toBeGreaterThan(0);
  expect(
    secondsUntilAllowed(JOINS_PER_IP, { current: 0, previous: max, passed: 0 }),
  ).toBeGreaterThan(0);
});

test('a client that waits for Retry-After is allowed, and three seconds earlier it is not', () => {
  fc.assert(
    fc.property(counts, (before) => {
      const seconds = secondsUntilAllowed(JOINS_PER_IP, before);
      fc.pre(seconds !== null);
      expect(secondsUntilAllowed(JOINS_PER_IP, after(before, seconds ?? 0))).toBeNull();
      const early = (seconds ?? 0) - 3;
      if (early > 0) expect(secondsUntilAllowed(JOINS_PER_IP, after(before, early))).not.toBeNull();
    }),
    keepFinds(),
  );
});

function after(
  { current, previous, passed }: { current: number; previous: number; passed: number },
  seconds: number,
) {
  const later = passed + seconds / JOINS_PER_IP.seconds;
  if (later < 1) return { current, previous, passed: later };
  if (later < 2) return { current: 0, previous: current, passed: later - 1 };
  return { current: 0, previous: 0, passed: later % 1 };
}
