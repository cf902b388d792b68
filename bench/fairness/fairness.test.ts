import { expect, test } from 'vitest';
import { intervalOf } from './figures.ts';
import { makeLine } from './make-line.ts';

test('the share that is shown lies within its interval, which narrows with more friends', () => {
  const [low, high] = intervalOf(3, 10);
  expect([low, high].map((bound) => bound.toFixed(3))).toEqual(['0.108', '0.603']);
  expect(intervalOf(0, 50)[0]).toBe(0);
  expect(intervalOf(300, 1_000)[0]).toBeGreaterThan(low);
});

test('a line has about 2,000 honest people, and no mailbox twice', () => {
  const visits = makeLine('whole-1');
  const honest = visits.filter(({ isHonest }) => isHonest);
  expect(honest.length).toBeGreaterThan(1_900);
  expect(honest.length).toBeLessThan(2_100);
  const own = visits.filter(({ isOfOther }) => !isOfOther);
  expect(new Set(own.map(({ email }) => email)).size).toBe(own.length);
});
