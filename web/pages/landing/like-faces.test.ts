import { expect, test } from 'vitest';
import { coarsePaint } from '../../../brand/art/ghost.ts';
import { compareFaces, inventCode } from './like-faces.ts';

function complete() {
  const steps = compareFaces(coarsePaint);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

const findLike = complete();
const bitsOf = (paint: string) =>
  [...paint].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('');
const distance = (one: string, other: string) =>
  [...bitsOf(one)].filter((bit, at) => bit !== bitsOf(other)[at]).length;

test('a face of the wall is like that of the member, and its code is no member’s', () => {
  const distances = Array.from({ length: 60 }, (_, index) => {
    const paint = coarsePaint(`GH05T${1000 + index}`);
    const like = findLike(paint);
    // Members' codes have no letter O.
    expect(like).toMatch(/O$/);
    return distance(coarsePaint(like), paint);
  });
  const mean = distances.reduce((sum, one) => sum + one, 0) / distances.length;
  expect(mean).toBeLessThan(6);
});

test('members of the same coarse paint share one face, so it tells no more than that paint', () => {
  const paint = coarsePaint(inventCode(7));
  expect(findLike(paint)).toBe(complete()(paint));
  expect(distance(coarsePaint(findLike(paint)), paint)).toBe(0);
});
