import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coarsePaint } from '../../brand/art/ghost.ts';
import { orderFaces } from './get-stats.ts';

const MASKS = 100;
const LINES = 50;

/** Paints by position, as of a line whose members have these codes. */
const paintsOf = (line: number) =>
  Array.from({ length: MASKS }, (_, position) =>
    coarsePaint(hash('sha256', `${line} ${position}`).slice(0, 10)),
  );

/** Spearman's coefficient of positions and places in the answer, for members of unique paint. */
function correlate(paints: readonly string[], faces: readonly string[]): number {
  const unique = paints.filter((paint) => paints.indexOf(paint) === paints.lastIndexOf(paint));
  const places = unique.map((paint) => faces.indexOf(paint));
  const ranks = places.map((place) => places.filter((other) => other < place).length);
  const count = unique.length;
  const squares = ranks.reduce((sum, rank, position) => sum + (rank - position) ** 2, 0);
  return 1 - (6 * squares) / (count * (count * count - 1));
}

test('the order tells nothing about positions', () => {
  // In a random order of n the coefficient has mean 0 and variance 1 / (n - 1): four deviations.
  const bound = 4 / Math.sqrt(MASKS * 0.9 - 1);
  const found = Array.from({ length: LINES }, (_, line) => {
    const paints = paintsOf(line);
    expect(correlate(paints, paints)).toBe(1);
    return correlate(paints, orderFaces(paints));
  });
  for (const coefficient of found) expect(Math.abs(coefficient)).toBeLessThan(bound);
  const mean = found.reduce((sum, coefficient) => sum + coefficient, 0) / LINES;
  expect(Math.abs(mean)).toBeLessThan(bound / Math.sqrt(LINES));
});

test('whatever the positions of the members, the answer is the same', () => {
  const shuffled = fc
    .constantFrom(paintsOf(0), ['0', '0', 'f'])
    .chain((paints) =>
      fc.tuple(
        fc.constant(paints),
        fc.shuffledSubarray(paints, { minLength: paints.length, maxLength: paints.length }),
      ),
    );
  fc.assert(
    fc.property(shuffled, ([paints, others]) => {
      expect(orderFaces(others)).toEqual(orderFaces(paints));
      expect(orderFaces(others).sort()).toEqual(paints.toSorted());
    }),
  );
});
