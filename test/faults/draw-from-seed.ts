import { randomBytes } from 'node:crypto';
import { onTestFailed } from 'vitest';
import { type SeededRandom, seedRandom } from '../../brand/art/seeded-random.ts';

/**
 * Random moments and choices for the test that is running. A failure prints the seed, and
 * FAULTS_SEED draws the same again.
 */
export function drawFromSeed(): SeededRandom & { readonly seed: string } {
  const seed = process.env.FAULTS_SEED || randomBytes(4).toString('hex');
  onTestFailed(() => console.error(`To draw the same moments again: FAULTS_SEED=${seed}`));
  return { ...seedRandom(seed), seed };
}
