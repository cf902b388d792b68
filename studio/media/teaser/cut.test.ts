import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadCardStyle } from '../../../server/site/share/brand-folder.ts';
import { cuts, textLayers } from './cut.ts';

const folder = fileURLToPath(new URL('../../../brand', import.meta.url));

test.each(cuts)('the words of the $name film stand in its middle and fit it', async (cut) => {
  const layers = await textLayers(cut, await loadCardStyle(folder), folder);
  for (const pixels of [layers.name, layers.scarcity, layers.address, ...layers.codes]) {
    const { left, right, top, bottom } = edgesOf(pixels, cut.width);
    expect(right - left).toBeGreaterThan(cut.width / 6);
    expect(Math.abs(left - (cut.width - 1 - right))).toBeLessThan(10);
    expect(left).toBeGreaterThan(cut.width / 20);
    expect([top > 0, bottom < cut.height - 1]).toEqual([true, true]);
  }
});

function edgesOf(pixels: Uint8Array, width: number) {
  const edges = { left: width, right: 0, top: Number.POSITIVE_INFINITY, bottom: 0 };
  for (let pixel = 0; pixel * 4 < pixels.length; pixel += 1) {
    if ((pixels[pixel * 4 + 3] ?? 0) < 128) continue;
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    edges.left = Math.min(edges.left, x);
    edges.right = Math.max(edges.right, x);
    edges.top = Math.min(edges.top, y);
    edges.bottom = Math.max(edges.bottom, y);
  }
  return edges;
}
