/** Measures how different faces are, because the site may claim no more than is true. */
import { beforeAll, expect, test } from 'vitest';
import { brand } from '../brand.ts';
import { halftone } from './halftone.ts';
import { seedRandom } from './seeded-random.ts';
import { choosePaint } from './war-paint.ts';

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODES = 1000;
/** Faces that differ in fewer than one dot in twenty are hard to tell apart. */
const HARD_TO_TELL = 0.05;

/** Seeded, so that every run measures the same codes. */
const random = seedRandom('a thousand codes');
const letters = [...LETTERS] as [string, ...string[]];
const codes = Array.from({ length: CODES }, () =>
  Array.from({ length: 10 }, () => random.pick(letters)).join(''),
);

let distances: Float32Array;
beforeAll(() => {
  const { dots } = halftone(52);
  const faces = codes.map((code) => {
    const isPainted = choosePaint(seedRandom(code));
    const bits = new Uint32Array(Math.ceil(dots.length / 32));
    for (const [index, { u, v }] of dots.entries()) {
      if (isPainted(Math.abs(u), v))
        bits[index >> 5] = (bits[index >> 5] ?? 0) | (1 << (index & 31));
    }
    return bits;
  });
  distances = new Float32Array((CODES * (CODES - 1)) / 2);
  let pair = 0;
  for (const [index, face] of faces.entries()) {
    for (const other of faces.slice(0, index))
      distances[pair++] = countDifferentBits(face, other) / dots.length;
  }
  distances.sort();
});

const percentile = (share: number) => distances[Math.floor(distances.length * share)] ?? 0;
const countCloserThan = (distance: number) => distances.findIndex((one) => one >= distance);

test('most faces of a thousand codes differ in two dots of five, and none coincide', () => {
  const figures = {
    pairs: distances.length,
    coincide: countCloserThan(Number.MIN_VALUE),
    'hard to tell apart': countCloserThan(HARD_TO_TELL),
    minimum: percentile(0),
    '1st percentile': percentile(0.01),
    median: percentile(0.5),
  };
  console.table(figures);
  expect(figures.coincide).toBe(0);
  expect(figures['hard to tell apart']).toBeLessThanOrEqual(12);
  expect(figures.minimum).toBeGreaterThan(0.02);
  expect(figures['1st percentile']).toBeGreaterThan(0.17);
  expect(figures.median).toBeGreaterThan(0.42);
});

test('some faces are hard to tell apart, so the site calls none unique', () => {
  expect(countCloserThan(HARD_TO_TELL)).toBeGreaterThan(0);
  expect(JSON.stringify(brand.copy)).not.toMatch(
    /unique|only (one|yours)|one of a kind|nobody else|no two/i,
  );
});

function countDifferentBits(one: Uint32Array, other: Uint32Array): number {
  let count = 0;
  for (let index = 0; index < one.length; index++) {
    let bits = (one[index] ?? 0) ^ (other[index] ?? 0);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
