import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import { expect, test } from 'vitest';
import { faces } from './faces.ts';

const face = faces.find(({ family }) => family === 'Brand Numeral');
const file = fileURLToPath(new URL('../../brand/fonts/numeral.ttf', import.meta.url));

test('the zero is drawn as the face has it: slashed, so that it is neither an O nor an 8', () => {
  const zero = face?.redrawn?.rows ?? [];
  expect(zero[3]).toBe('O.O.O');
  expect(rowsOf('0')).toEqual(zero);
  expect(rowsOf('8')).toEqual(['.OOO.', 'O...O', 'O...O', '.OOO.', 'O...O', 'O...O', '.OOO.']);
});

test('thousands are written with a comma of the face', () => {
  expect(rowsOf(',').join('')).toContain('O');
});

/** Whether there is a dot in each cell of the grid of 5 x 7; a cell is 10 px wide. */
function rowsOf(character: string): string[] {
  const { pixels, width } = new Resvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="80">
<text x="0" y="70" font-family="Brand Numeral" font-size="100">${character}</text></svg>`,
    { font: { fontFiles: [file], loadSystemFonts: false } },
  ).render();
  const isDot = (x: number, y: number) => (pixels[(y * width + x) * 4 + 3] ?? 0) > 127;
  return Array.from({ length: 7 }, (_, row) =>
    Array.from({ length: 5 }, (_, column) =>
      isDot(column * 10 + 5, row * 10 + 5) ? 'O' : '.',
    ).join(''),
  );
}
