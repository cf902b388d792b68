import { expect, test } from 'vitest';
import { halftone } from '../../brand/art/halftone.ts';
import { maskSvg } from '../../brand/art/mask.ts';
import { readDots } from './read-dots.ts';

const paths = [...maskSvg().matchAll(/stroke-width="([\d.]+)"[^>]* d="([^"]+)"/g)].map(([, width, moves = '']) => ({
  diameter: Number(width),
  moves,
}));
const placesOf = (dots: readonly { x: number; y: number }[]) => dots.map(({ x, y }) => `${x} ${y}`).sort();

test('every dot that was drawn is read back at its place', () => {
  const dots = readDots(paths);
  expect(dots.length).toBeGreaterThan(2000);
  expect(placesOf(dots)).toEqual(placesOf(halftone(58).dots));
});

test('every dot has the thickness of its path', () => {
  expect(new Set(readDots(paths).map(({ diameter }) => diameter))).toEqual(
    new Set(paths.map(({ diameter }) => diameter)),
  );
});

test('a path of anything else holds no dots', () => {
  expect(readDots([{ diameter: 1, moves: 'M0 0L10 10Z' }])).toEqual([]);
});
