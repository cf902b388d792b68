import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainPosition, points, type Standing, sortKey } from './line-rules.ts';

/** Small numbers, so that ties come up, beside the largest that are allowed. */
const standing: fc.Arbitrary<Standing> = fc.record({
  sequence: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 2 ** 32 - 1 })),
  credits: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 2 ** 18 - 1 })),
  isInvited: fc.boolean(),
  adjustment: fc.oneof(
    fc.constant(0),
    fc.integer({ min: -20, max: 20 }),
    fc.integer({ min: -10_000, max: 10_000 }),
  ),
});
const twoMembers = fc
  .tuple(standing, standing)
  .filter(([one, other]) => one.sequence !== other.sequence);

test('one friend is ahead of any number of plain joins', () => {
  const friendOfLast = sortKey({ sequence: 2 ** 32 - 1, credits: 1, isInvited: false });
  expect(friendOfLast).toBeLessThan(sortKey({ sequence: 1, credits: 0, isInvited: true }));
});

test('a member who came by invite is ahead of everybody without points', () => {
  const invited = sortKey({ sequence: 1000, credits: 0, isInvited: true });
  expect(invited).toBeLessThan(sortKey({ sequence: 1, credits: 0, isInvited: false }));
});

test('keys have the order of points, most first, then of joining', () => {
  fc.assert(
    fc.property(twoMembers, ([one, other]) => {
      const byPoints = points(other) - points(one) || one.sequence - other.sequence;
      expect(Math.sign(sortKey(one) - sortKey(other))).toBe(Math.sign(byPoints));
    }),
  );
});

test('keys are exact integers up to their limits', () => {
  fc.assert(
    fc.property(standing, (each) => {
      const key = sortKey(each);
      expect(Number.isSafeInteger(key)).toBe(true);
      expect(Math.abs(key)).toBeLessThanOrEqual(2 ** 52);
    }),
  );
});

test.each([
  [5, true, '5 friends × 2 + 1 for an invite = 11 points. Joined as number 1,234.'],
  [0, true, '0 friends × 2 + 1 for an invite = 1 point. Joined as number 1,234.'],
  [1, false, '1 friend × 2 = 2 points. Joined as number 1,234.'],
])('with %i credits, invited: %s', (credits, isInvited, sentence) => {
  expect(explainPosition({ sequence: 1234, credits, isInvited })).toBe(sentence);
});
