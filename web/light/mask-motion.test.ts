import { expect, test } from 'vitest';
import { createMaskMotion } from './mask-motion.ts';

const FRAME_MS = 16;
type Motion = ReturnType<typeof createMaskMotion>;

function watch(motion: Motion, ms: number): number[] {
  return Array.from({ length: ms / FRAME_MS }, () => motion.step(FRAME_MS).yaw);
}

test('at rest the mask sways to both sides, by at most 20 degrees, and without a jump', () => {
  const yaws = watch(createMaskMotion(), 18_000);
  const furthest = (20 * Math.PI) / 180;
  for (const side of [Math.max(...yaws), -Math.min(...yaws)]) {
    expect(side).toBeGreaterThan(furthest * 0.8);
    expect(side).toBeLessThan(furthest * 1.1);
  }
  const jumps = yaws.map((yaw, index) => Math.abs(yaw - (yaws[index - 1] ?? 0)));
  expect(Math.max(...jumps)).toBeLessThan(0.01);
});

test('it turns to what it follows, as far as its limit', () => {
  const motion = createMaskMotion();
  motion.follow({ yaw: 0.6, pitch: 0.1 });
  watch(motion, 3000);
  expect(motion.step(FRAME_MS).yaw).toBeCloseTo(0.6, 2);
  expect(motion.step(FRAME_MS).pitch).toBeCloseTo(0.1, 2);
  motion.follow({ yaw: 9, pitch: 9 });
  watch(motion, 3000);
  expect(motion.step(FRAME_MS)).toEqual({ yaw: 1.3, pitch: 0.35 });
});

test('dragged it turns one to one, keeps its speed when released, and springs back', () => {
  const motion = createMaskMotion();
  for (let index = 0; index < 10; index += 1) motion.drag({ yaw: 0.05, pitch: 0 }, FRAME_MS);
  expect(motion.step(FRAME_MS).yaw).toBeCloseTo(0.5, 9);
  motion.release();
  const [next = 0] = watch(motion, FRAME_MS);
  expect(next).toBeGreaterThan(0.53);
  const settled = watch(motion, 4000).slice(-60);
  expect(Math.max(...settled.map(Math.abs))).toBeLessThan(0.4);
});

test('a frame that comes late does not throw it', () => {
  const motion = createMaskMotion();
  motion.follow({ yaw: 1, pitch: 0 });
  expect(motion.step(60_000).yaw).toBeLessThan(0.05);
});
