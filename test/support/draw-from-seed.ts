import { expect } from 'vitest';
import { type SeededRandom, seedRandom } from '../../brand/art/seeded-random.ts';

/** Random moments and choices of the running test: the same ones again with the same TEST_SEED. */
export function drawFromSeed(): SeededRandom {
  return seedRandom(`${process.env.TEST_SEED} ${expect.getState().currentTestName}`);
}
