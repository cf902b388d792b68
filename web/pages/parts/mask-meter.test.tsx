import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MaskMeter } from './mask-meter.tsx';

const litCells = (position: number | null) =>
  [
    ...renderToStaticMarkup(<MaskMeter count={100} position={position} />).matchAll(
      /translate\((\d+) (\d+)\)/g,
    ),
  ].map(([, x = '', y = '']) => [Number(x), Number(y)]);

/** Number of masks in each grid: the cells that its rectangles cover. */
const countMasks = (count: number) =>
  renderToStaticMarkup(<MaskMeter count={count} />)
    .split('<svg class="mask-meter')
    .slice(1)
    .map((grid) =>
      [...grid.matchAll(/<rect [^>]*width="(\d+)" height="(\d+)"/g)]
        .map(([, width, height]) => Math.ceil(Number(width) / 24) * Math.ceil(Number(height) / 34))
        .reduce((sum, cells) => sum + cells, 0),
    );

test('no position in the top lights no mask', () => {
  expect(litCells(null)).toEqual([]);
});

test('the first position lights the first mask of both grids, the last one the last', () => {
  expect(litCells(1)).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(litCells(100)).toEqual([
    [19 * 24, 4 * 34],
    [24 * 24, 3 * 34],
  ]);
});

test.each([1, 20, 60, 100, 101, 250])('%i masks are %i cells in both grids', (count) => {
  expect(countMasks(count)).toEqual([count, count]);
});
