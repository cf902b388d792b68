import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadCardStyle } from '../../../server/site/share/brand-folder.ts';
import { darkFrame, drawDot, paletteOf } from './frame.ts';

const folder = fileURLToPath(new URL('../../../test/fixtures/second-brand', import.meta.url));

test('the film has the colours of the brand whose tokens it is given', async () => {
  const { tokens } = await loadCardStyle(folder);
  const frame = darkFrame(9, 9, paletteOf(tokens));
  const middle = () => [...frame.pixels.subarray(3 * 40, 3 * 41)];
  const dot = { x: 4, y: 4, spacing: 8 };
  expect(middle()).toEqual([0xfa, 0xf6, 0xee]);
  drawDot(frame, { ...dot, light: 1, glow: { unlit: 1, charged: 0 } });
  expect(middle()).toEqual([0x1d, 0x1a, 0x14]);
  drawDot(frame, { ...dot, light: 0.56, glow: { unlit: 0, charged: 1 } });
  // 70 % of the way from the paper to the rust, rounded down.
  expect(middle()).toEqual([182, 113, 71]);
});
