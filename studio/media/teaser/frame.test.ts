import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { darkFrame, drawDot, readPalette } from './frame.ts';

const css = readFileSync(
  new URL('../../../test/fixtures/second-brand/tokens.css', import.meta.url),
  'utf8',
);

test('the film has the colours of the brand whose tokens it is given', () => {
  const frame = darkFrame(9, 9, readPalette(css));
  const middle = () => [...frame.pixels.subarray(3 * 40, 3 * 41)];
  const dot = { x: 4, y: 4, spacing: 8 };
  expect(middle()).toEqual([0xfa, 0xf6, 0xee]);
  drawDot(frame, { ...dot, light: 1, glow: { unlit: 1, charged: 0 } });
  expect(middle()).toEqual([0x1d, 0x1a, 0x14]);
  drawDot(frame, { ...dot, light: 0.56, glow: { unlit: 0, charged: 1 } });
  // 70 % of the way from the paper to the rust, rounded down.
  expect(middle()).toEqual([182, 113, 71]);
});
