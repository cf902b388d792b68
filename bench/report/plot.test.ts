import { expect, test } from 'vitest';
import { drawPlot, spread, ticksFor } from './plot.ts';

const colours = { ground: 'ground', line: 'line', faint: 'faint', text: 'text', bright: 'bright' };

test('ticks lie around all values and are 1, 2 or 5 times a power of ten', () => {
  expect(ticksFor([33, 480])).toEqual([20, 50, 100, 200, 500]);
  expect(ticksFor([0.3, 0.9])).toEqual([0.2, 0.5, 1]);
});

test('ticks of values far apart are powers of ten alone', () => {
  expect(ticksFor([1.5, 90_000])).toEqual([1, 10, 100, 1_000, 10_000, 100_000]);
});

test('a plot of nothing has ticks all the same', () => {
  expect(ticksFor([])).toEqual([1, 10]);
});

test('labels of lines that meet keep their order and do not touch', () => {
  const heights = spread([100, 99, 101]);
  expect(heights).toEqual([117, 99, 135]);
});

test('labels do not leave the plot at its foot', () => {
  expect(Math.max(...spread([336, 336, 336]))).toBe(336);
});

test('the product is drawn in the bright colour and the floor in the faint one', () => {
  const points = [
    { x: 1, y: 10 },
    { x: 64, y: 1_000 },
  ];
  const svg = drawPlot(
    {
      title: 'A <plot>',
      xLabel: 'in flight',
      yLabel: 'a second',
      series: [
        { name: 'join', isFloor: false, points },
        { name: 'INSERT', isFloor: true, points },
      ],
    },
    colours,
  );
  expect(svg.match(/<circle[^>]+fill="bright"/g)).toHaveLength(2);
  expect(svg.match(/<circle[^>]+fill="faint"/g)).toHaveLength(2);
  expect(svg).toContain('A &lt;plot>');
  expect(svg).not.toMatch(/NaN|undefined/);
});
