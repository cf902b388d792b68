import { expect, test } from 'vitest';
import { drawArrivals } from './arrivals.ts';

/** A generator of Lehmer's: the same numbers each time. */
function openRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const rush = { people: 10_000, seconds: 240, rushSeconds: 60, rushShare: 0.3 };

test('everybody comes, in order, within the time', () => {
  const arrivals = drawArrivals(rush, openRandom());
  expect(arrivals).toHaveLength(10_000);
  expect(arrivals).toEqual(arrivals.toSorted((a, b) => a - b));
  expect(arrivals[0]).toBeGreaterThanOrEqual(0);
  expect(arrivals.at(-1)).toBeLessThan(240_000);
});

test('the share of the rush comes within the rush', () => {
  const arrivals = drawArrivals(rush, openRandom());
  expect(arrivals.filter((moment) => moment < 60_000)).toHaveLength(3_000);
});

test('a rush that is all there is leaves nobody for later', () => {
  const arrivals = drawArrivals(
    { people: 50, seconds: 10, rushSeconds: 10, rushShare: 1 },
    openRandom(),
  );
  expect(arrivals.every((moment) => moment < 10_000)).toBe(true);
});
