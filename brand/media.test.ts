import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

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
