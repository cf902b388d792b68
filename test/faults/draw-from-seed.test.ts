import { afterEach, expect, test, vi } from 'vitest';
import { drawFromSeed } from './draw-from-seed.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

function drawTwo(seed: string): number[] {
  vi.stubEnv('FAULTS_SEED', seed);
  const random = drawFromSeed();
  return [random.between(0, 400), random.between(0, 400)];
}

test('a seed draws the same moments again, and another draws others', () => {
  expect(drawTwo('one')).toEqual(drawTwo('one'));
  expect(drawTwo('one')).not.toEqual(drawTwo('other'));
});

test('without a seed the moments are new each time', () => {
  expect(drawTwo('')).not.toEqual(drawTwo(''));
});
