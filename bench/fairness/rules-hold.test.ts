/** The rules alone, on whole lines of seeds that they were not tuned on. */
import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { isFull } from '../../test/support/short-form.ts';
import { countKinds, onlyOf, sum } from './figures.ts';
import { judge } from './in-process.ts';
import { makeLine } from './make-line.ts';

const SEEDS = isFull ? ['unseen-1', 'unseen-2', 'unseen-3', 'unseen-4'] : ['unseen-1'];

test.each(SEEDS)('%s: false credits are held, and next to no honest ones', (seed) => {
  const kinds = countKinds(judge(makeLine(seed), brand.fairness));
  const [cheated, honest] = [sum(onlyOf(kinds, 'false')), sum(onlyOf(kinds, 'honest'))];
  expect(cheated.held / cheated.credits).toBeGreaterThan(0.95);
  expect(honest.held / honest.credits).toBeLessThan(0.01);
  expect(cheated.heldAtJoin / cheated.credits).toBeGreaterThan(0.75);
  // No single group bears the errors of the average.
  for (const { kind, isHonest, held, credits } of kinds) {
    if (isHonest) expect(held, kind).toBeLessThanOrEqual(1 + credits / 100);
    else expect(held / credits, kind).toBeGreaterThan(0.75);
  }
});
