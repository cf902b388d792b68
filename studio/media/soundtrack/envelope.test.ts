import { expect, test } from 'vitest';
import envelope from '../../../brand/media/soundtrack-envelope.json' with { type: 'json' };
import { measureEnvelope } from './envelope.ts';
import { addSound, createLoop } from './loop-buffer.ts';
import { BAR_SECONDS, BARS } from './score.ts';

const tone = (seconds: number) => Math.sin(2 * Math.PI * 110 * seconds);

test('the envelope is loudest where the music is, and spans the whole scale', () => {
  const loop = createLoop(4);
  addSound(loop, tone, { at: 1, lasts: 1, level: 0.5 });
  const levels = measureEnvelope(loop);
  expect(levels).toHaveLength(40);
  expect(Math.max(...levels)).toBe(9);
  expect(Math.min(...levels)).toBe(0);
  expect(levels.indexOf(9)).toBeGreaterThanOrEqual(10);
  expect(levels.lastIndexOf(9)).toBeLessThan(20);
});

test('a sound across the end of the loop is loud on both sides of it', () => {
  const loop = createLoop(4);
  addSound(loop, tone, { at: 3.5, lasts: 1, level: 0.5 });
  const levels = measureEnvelope(loop);
  expect(levels[0]).toBeGreaterThanOrEqual(8);
  expect(levels.at(-1)).toBeGreaterThanOrEqual(8);
});

test('silence has no light', () => {
  expect(new Set(measureEnvelope(createLoop(1)))).toEqual(new Set([0]));
});

test('the committed envelope is as long as the music and rises at most twice in any second', () => {
  const levels = [...envelope.levels].map(Number);
  expect(levels.length * envelope.stepSeconds).toBeCloseTo(BARS * BAR_SECONDS, 6);
  const changes = levels.map((level, step) => Math.sign(level - (levels.at(step - 1) ?? 0)));
  /** A rise begins where the last change was a fall. */
  const starts = changes.map(
    (change, step) => change > 0 && changes.slice(0, step).findLast(Boolean) === -1,
  );
  const stepsPerSecond = Math.round(1 / envelope.stepSeconds);
  const inSecondFrom = (step: number) =>
    Array.from(
      { length: stepsPerSecond },
      (_, offset) => starts[(step + offset) % starts.length],
    ).filter(Boolean).length;
  expect(Math.max(...levels.map((_, step) => inSecondFrom(step)))).toBeLessThan(3);
});
