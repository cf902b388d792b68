import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import envelope from './media/soundtrack-envelope.json' with { type: 'json' };

test.each([
  ['soundtrack.m4a', 600_000],
  ['soundtrack.opus', 450_000],
  ['teaser-wide.mp4', 700_000],
  ['teaser-wide.av1.mp4', 450_000],
  ['teaser-tall.mp4', 700_000],
  ['teaser-tall.av1.mp4', 450_000],
  ['poster-wide.avif', 20_000],
  ['poster-tall.avif', 20_000],
  ['poster-wide.jpg', 90_000],
  ['poster-tall.jpg', 90_000],
])('%s weighs at most %d bytes', (file, maxBytes) => {
  const bytes = readFileSync(new URL(`./media/${file}`, import.meta.url)).length;
  expect(bytes).toBeGreaterThan(2000);
  expect(bytes).toBeLessThanOrEqual(maxBytes);
});

const MUSIC_SECONDS = 64;

test('the envelope is as long as the music and rises at most twice in any second', () => {
  const levels = [...envelope.levels].map(Number);
  expect(levels.length * envelope.stepSeconds).toBeCloseTo(MUSIC_SECONDS, 6);
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
