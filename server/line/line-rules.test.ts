import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  explainPosition,
  keyFormula,
  MAX_PLACES_PER_FRIEND,
  POSITIONS_PER_FRIEND,
  points,
  type Standing,
  sortKey,
} from './line-rules.ts';

const pointsFormula = keyFormula({ name: 'points' });
const skipFormula = keyFormula({ name: 'skip' });
const fadeFormula = keyFormula({ name: 'fade' });
const longestFade = keyFormula({ name: 'fade', placesPerFriend: MAX_PLACES_PER_FRIEND });

/** Small numbers, so that ties come up, beside the largest that are allowed. */
const standing: fc.Arbitrary<Standing> = fc.record({
  sequence: fc.oneof(
    fc.integer({ min: 1, max: 200 }),
    fc.integer({ min: 1, max: 2 ** 32 - 50_001 }),
  ),
  credits: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 2 ** 18 - 5_001 })),
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

describe('rule "points"', () => {
  test('one friend is ahead of any number of plain joins', () => {
    const friendOfLast = sortKey(pointsFormula, {
      sequence: 2 ** 32 - 1,
      credits: 1,
      isInvited: false,
    });
    expect(friendOfLast).toBeLessThan(
      sortKey(pointsFormula, { sequence: 1, credits: 0, isInvited: true }),
    );
  });

  test('a member who came by invite is ahead of everybody without points', () => {
    const invited = sortKey(pointsFormula, { sequence: 1000, credits: 0, isInvited: true });
    expect(invited).toBeLessThan(
      sortKey(pointsFormula, { sequence: 1, credits: 0, isInvited: false }),
    );
  });

  test('keys have the order of points, most first, then of joining', () => {
    fc.assert(
      fc.property(twoMembers, ([one, other]) => {
        const byPoints = points(other) - points(one) || one.sequence - other.sequence;
        expect(Math.sign(sortKey(pointsFormula, one) - sortKey(pointsFormula, other))).toBe(
          Math.sign(byPoints),
        );
      }),
    );
  });
});

describe('rule "skip"', () => {
  const moved = ({ sequence, credits, isInvited, adjustment = 0 }: Standing) =>
    sequence - POSITIONS_PER_FRIEND * (credits + Number(isInvited) + adjustment / 2);

  test('a friend moves a member ten up in join order, just behind the member there', () => {
    const key = sortKey(skipFormula, { sequence: 30, credits: 1, isInvited: false });
    const keyOf = (sequence: number) =>
      sortKey(skipFormula, { sequence, credits: 0, isInvited: false });
    expect(key).toBeGreaterThan(keyOf(20));
    expect(key).toBeLessThan(keyOf(21));
  });

  test('keys have the order of the moved sequence, ties that of joining', () => {
    fc.assert(
      fc.property(twoMembers, ([one, other]) => {
        const byMove = moved(one) - moved(other) || one.sequence - other.sequence;
        expect(Math.sign(sortKey(skipFormula, one) - sortKey(skipFormula, other))).toBe(
          Math.sign(byMove),
        );
      }),
    );
  });

  test('members who tie are ordered by joining', () => {
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.nat(50),
        fc.integer({ min: 1, max: 50 }),
        (start, moves, more) => {
          const at = (m: number) => ({
            sequence: start + 10 * m + 1,
            credits: m,
            isInvited: false,
          });
          expect(sortKey(skipFormula, at(moves))).toBeLessThan(
            sortKey(skipFormula, at(moves + more)),
          );
        },
      ),
    );
  });
});

describe('rule "fade"', () => {
  const keyOf = (sequence: number, credits = 0) =>
    sortKey(fadeFormula, { sequence, credits, isInvited: false });

  test.each([
    [1, 20],
    [3, 60],
    [5, 100],
    [6, 110],
    [10, 150],
    [11, 155],
    [25, 225],
    [26, 227],
    [100, 375],
    [104, 375],
    [105, 376],
    [1_100, 575],
  ])('%i friends move a member %i places up, just behind the member there', (friends, places) => {
    const key = keyOf(places + 30, friends);
    expect(key).toBeGreaterThan(keyOf(30));
    expect(key).toBeLessThan(keyOf(31));
  });

  /** The worth of each friend, added up one by one, in hundredths. */
  const worthOf = (credits: number) => {
    let worth = 0;
    for (let friend = 1; friend <= credits; friend += 1)
      worth += friend <= 5 ? 100 : friend <= 10 ? 50 : friend <= 25 ? 25 : friend <= 100 ? 10 : 1;
    return worth;
  };
  const few = standing.map((each) => ({ ...each, credits: each.credits % 2_000 }));

  test.each([2, 20, 34, MAX_PLACES_PER_FRIEND])(
    'keys have the order of the moved sequence, ties that of joining, at %i places',
    (placesPerFriend) => {
      const formula = keyFormula({ name: 'fade', placesPerFriend });
      const moved = ({ sequence, credits, isInvited, adjustment = 0 }: Standing) =>
        sequence -
        Math.floor((placesPerFriend * worthOf(credits)) / 100) -
        placesPerFriend * (Number(isInvited) + adjustment / 2);
      fc.assert(
        fc.property(few, few, (one, other) => {
          fc.pre(one.sequence !== other.sequence);
          const byMove = moved(one) - moved(other) || one.sequence - other.sequence;
          expect(Math.sign(sortKey(formula, one) - sortKey(formula, other))).toBe(
            Math.sign(byMove),
          );
        }),
      );
    },
  );

  test('one more friend never moves a member back', () => {
    fc.assert(
      fc.property(standing, (each) => {
        const more = { ...each, credits: each.credits + 1 };
        expect(sortKey(fadeFormula, more)).toBeLessThanOrEqual(sortKey(fadeFormula, each));
      }),
    );
  });
});

const formulas = [pointsFormula, skipFormula, fadeFormula, longestFade];
describe.each(formulas)('each formula', (formula) => {
  test('gives exact integers up to its limits', () => {
    // The longest steps of an adjustment reach beyond the last numbers.
    const last = formula === fadeFormula || formula === longestFade ? 400_001 : 50_001;
    const within = standing.map((each) => ({
      ...each,
      sequence: Math.min(each.sequence, 2 ** 32 - last),
    }));
    fc.assert(
      fc.property(within, (each) => {
        const key = sortKey(formula, each);
        expect(Number.isSafeInteger(key)).toBe(true);
        expect(Math.abs(key)).toBeLessThanOrEqual(2 ** 52);
      }),
    );
  });

  test('counts ranges of at least 64 members, up to 256 in a row, over the whole range', () => {
    const { bucketShifts, perJoin } = formula;
    expect(2 ** (bucketShifts[0] ?? 0) / perJoin).toBe(64);
    for (const [level, shift] of bucketShifts.entries())
      if (level > 0) {
        const bits = shift - (bucketShifts[level - 1] ?? 0);
        expect(bits).toBeGreaterThan(0);
        expect(bits).toBeLessThanOrEqual(8);
      }
    expect(bucketShifts.at(-1)).toBe(53);
  });
});

test.each([
  ['points', 5, true, '5 friends × 2 + 1 for an invite = 11 points. Joined as number 1,234.'],
  ['points', 0, true, '0 friends × 2 + 1 for an invite = 1 point. Joined as number 1,234.'],
  ['points', 1, false, '1 friend × 2 = 2 points. Joined as number 1,234.'],
  [
    'skip',
    3,
    true,
    '3 friends × 10 + 10 for an invite = 40 positions ahead of joining as number 1,234.',
  ],
  ['skip', 0, false, '0 friends × 10 = 0 positions ahead of joining as number 1,234.'],
  [
    'fade',
    12,
    true,
    '12 friends = 160 positions + 20 for an invite = 180 positions ahead of joining as number ' +
      '1,234.',
  ],
] as const)('by %s with %i credits, invited: %s', (name, credits, isInvited, sentence) => {
  expect(explainPosition({ name }, { sequence: 1234, credits, isInvited })).toBe(sentence);
});
