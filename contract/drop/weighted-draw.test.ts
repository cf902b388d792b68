/**
 * Tickets must be drawn as from a hat: one after the other, each by its share of the half tickets
 * that are left. Counts of 2,000 draws are held against what that makes of them exactly.
 *
 * Bernstein's inequality bounds the sum S of n independent numbers with mean m, variance v and
 * |number - m| <= M: P(|S - nm| >= t) <= 2 exp(-t² / (2nv + 2Mt/3)). Each bound here is the t at
 * which that is ALARM shared by all comparisons: a right program fails once in 1,000,000,000 runs.
 */
import { expect, test } from 'vitest';
import { drawFromSeed } from '../../test/support/draw-from-seed.ts';
import { drawOrder } from './draw-order-rules.ts';
import { weightOf, weightWords } from './weight-rules.ts';

const DRAWS = 2_000;
const ALARM = 1e-9;
const WEIGHTS = [2, 3, 4, 5] as const;
const ENTRANTS_OF_WEIGHT = 4;
const MASKS = 5;

type Counts = readonly number[];

/** How likely it is that so many of each weight are among the first `masks` tickets. */
function drawFromHat(masks: number): [counts: Counts, chance: number][] {
  let states = new Map<string, number>([[JSON.stringify(WEIGHTS.map(() => 0)), 1]]);
  for (let mask = 0; mask < masks; mask++) {
    const next = new Map<string, number>();
    for (const [state, chance] of states) {
      const counts: number[] = JSON.parse(state);
      const left = counts.map((count, at) => (ENTRANTS_OF_WEIGHT - count) * (WEIGHTS[at] ?? 0));
      const all = left.reduce((sum, one) => sum + one, 0);
      for (const [at, halves] of left.entries()) {
        if (halves === 0) continue;
        const key = JSON.stringify(counts.with(at, (counts[at] ?? 0) + 1));
        next.set(key, (next.get(key) ?? 0) + (chance * halves) / all);
      }
    }
    states = next;
  }
  return [...states].map(([state, chance]) => [JSON.parse(state), chance]);
}

/** Mean of a draw's count of one weight, and by how much a sum of all draws may differ from it. */
function boundOf(masks: number, at: number): { mean: number; bound: number } {
  const states = drawFromHat(masks);
  const moment = (power: number) =>
    states.reduce((sum, [counts, chance]) => sum + chance * (counts[at] ?? 0) ** power, 0);
  const mean = moment(1);
  const comparisons = 2 * WEIGHTS.length;
  const logarithm = Math.log((2 * comparisons) / ALARM);
  const linear = (masks * logarithm) / 3;
  const variance = DRAWS * (moment(2) - mean ** 2);
  return { mean, bound: linear + Math.sqrt(linear ** 2 + 2 * variance * logarithm) };
}

const rule = { masks: [{ size: 'Small', masks: MASKS }], by_rank: 0, drawn_among: 16 };

test('2,000 draws choose each weight as a hat of half tickets does', { timeout: 60_000 }, () => {
  const { between } = drawFromSeed();
  const drawHex = () =>
    Array.from({ length: 64 }, () => Math.floor(between(0, 16)).toString(16)).join('');
  const entrants = WEIGHTS.flatMap((weight) =>
    Array.from({ length: ENTRANTS_OF_WEIGHT }, () => weight),
  ).map((weight, index) => ({
    position: index + 1,
    ticket: drawHex(),
    points: 0,
    weight,
    sizes: [],
    takes_any: true,
  }));
  const sums = { first: WEIGHTS.map(() => 0), chosen: WEIGHTS.map(() => 0) };
  for (let draw = 0; draw < DRAWS; draw++) {
    const order = drawOrder(entrants, rule, drawHex());
    for (const [place, { position, size }] of order.entries()) {
      if (size === null) break;
      const at = Math.floor((position - 1) / ENTRANTS_OF_WEIGHT);
      sums.chosen[at] = (sums.chosen[at] ?? 0) + 1;
      if (place === 0) sums.first[at] = (sums.first[at] ?? 0) + 1;
    }
  }
  for (const [masks, counts] of [
    [1, sums.first],
    [MASKS, sums.chosen],
  ] as const)
    for (const [at, weight] of WEIGHTS.entries()) {
      const { mean, bound } = boundOf(masks, at);
      const off = Math.abs((counts[at] ?? 0) - DRAWS * mean);
      expect(off, `weight ${weight}, the first ${masks}`).toBeLessThan(bound);
    }
});

test('the bounds tell a draw by weight from one in which all tickets weigh the same', () => {
  for (const masks of [1, MASKS])
    for (const at of [0, WEIGHTS.length - 1]) {
      const { mean, bound } = boundOf(masks, at);
      expect(DRAWS * Math.abs(mean - masks / WEIGHTS.length)).toBeGreaterThan(bound);
    }
});

test.each([
  [0, 2, '1 ticket'],
  [2, 2, '1 ticket'],
  [3, 3, '1.5 tickets'],
  [9, 3, '1.5 tickets'],
  [10, 4, '2 tickets'],
  [24, 4, '2 tickets'],
  [25, 5, '2.5 tickets'],
  [1_000, 5, '2.5 tickets'],
])('%i friends who confirmed weigh %i half tickets: %s', (friends, weight, words) => {
  expect([weightOf(friends), weightWords(weight)]).toEqual([weight, words]);
});
