/** The rules alone, on whole lines of seeds that they were not tuned on. */
import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { isFull } from '../../test/support/short-form.ts';
import { judge } from './in-process.ts';
import { makeLine, type Score, tally } from './make-line.ts';

const SEEDS = isFull ? ['unseen-1', 'unseen-2', 'unseen-3', 'unseen-4'] : ['unseen-1'];

function shareHeld(scores: ReadonlyMap<string, Score>, label: 'honest' | 'false'): number {
  const ours = [...scores].filter(([kind]) => kind.endsWith(` ${label}`)).map(([, one]) => one);
  const sum = (field: keyof Score) => ours.reduce((total, one) => total + one[field], 0);
  return sum('held') / sum('credits');
}

test.each(SEEDS)('%s: false credits are held, and next to no honest ones', (seed) => {
  const { atOnce, lookingBack } = judge(makeLine(seed), brand.fairness);
  const scores = tally(lookingBack);
  expect(shareHeld(scores, 'false')).toBeGreaterThan(0.95);
  expect(shareHeld(scores, 'honest')).toBeLessThan(0.01);
  expect(shareHeld(tally(atOnce), 'false')).toBeGreaterThan(0.75);
  // No group pays for the others.
  for (const [kind, { credits, held }] of scores) {
    if (kind.endsWith(' honest')) expect(held, kind).toBeLessThanOrEqual(1 + credits / 100);
    else expect(held / credits, kind).toBeGreaterThan(0.75);
  }
});
