import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { paintPath } from '../../ui/coarse-paint.ts';
import { MaskMeter } from './mask-meter.tsx';

const litCells = (position: number | null) =>
  [
    ...renderToStaticMarkup(<MaskMeter count={100} position={position} />).matchAll(
      /<g class="mask-meter-lit" transform="translate\((\d+) (\d+)\)/g,
    ),
  ].map(([, x = '', y = '']) => [Number(x), Number(y)]);

const AREA = /<path class="mask-meter-unlit" d="M0 0H(\d+)V(\d+)H(\d+)V(\d+)H0Z"/g;
const cellsOf = (width: number, height: number) => Math.ceil(width / 24) * Math.ceil(height / 34);

/** Number of masks in each grid: the cells that its area covers. */
const countMasks = (count: number) =>
  [...renderToStaticMarkup(<MaskMeter count={count} />).matchAll(AREA)].map(([, ...numbers]) => {
    const [width = 0, lastRowY = 0, lastWidth = 0, height = 0] = numbers.map(Number);
    return cellsOf(width, lastRowY) + cellsOf(lastWidth, height - lastRowY);
  });

test('no position in the top lights no mask', () => {
  expect(litCells(null)).toEqual([]);
});

test('the first position lights the first mask of both grids, the last one the last', () => {
  expect(litCells(1)).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(litCells(100)).toEqual([
    [9 * 24, 9 * 34],
    [24 * 24, 3 * 34],
  ]);
});

test.each([1, 20, 60, 100, 101, 250])('%i masks are %i cells in both grids', (count) => {
  expect(countMasks(count)).toEqual([count, count]);
});

test('a mask behind the others is solid in both grids', () => {
  const masks = renderToStaticMarkup(<MaskMeter position={128} />).matchAll(
    /mask-meter-lit.*?mask-meter-paint" d="([^"]*)"/g,
  );
  const solid = paintPath('fffffffffff', 0, 0);
  expect(Array.from(masks, ([, paint]) => paint)).toEqual([solid, solid]);
});

test('a paint is strokes along its rows, the same on both sides', () => {
  expect(paintPath('0', 0, 0)).toBe('');
  expect(paintPath('8', 0, 0)).toBe('M7.5 1.25h5');
  expect(paintPath('01', 24, 34)).toBe('M24 37.75h2.5M41.5 37.75h2.5');
  expect(paintPath('?', 0, 0)).toBe('');
});
