import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { HundredMeter } from './hundred-meter.tsx';

const litCells = (lit: number | null) =>
  [...renderToStaticMarkup(<HundredMeter lit={lit} />).matchAll(/translate\((\d+) (\d+)\)/g)].map(
    ([, x = '', y = '']) => [Number(x), Number(y)],
  );

test('nobody inside the hundred lights no cell', () => {
  expect(litCells(null)).toEqual([]);
});

test('the first place lights the first cell of both shapes, the hundredth the last', () => {
  expect(litCells(1)).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(litCells(100)).toEqual([
    [19 * 24, 4 * 34],
    [24 * 24, 3 * 34],
  ]);
});
