/**
 * Eight faces as one picture, drawn from the brand's art by every build: in a row, and in two rows
 * for phones. Pages import them as `virtual:faces-row.svg` and `virtual:faces-rows.svg`.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import type { BrandArt } from '../../../brand/brand-shape.ts';
import { placeFace } from '../../../server/site/share/cards/canvas.ts';

/** One for each family of the first brand's paint. No code has the letter O: they are nobody's. */
const CODES = ['FACE3O', 'FACE6O', 'FACE5O', 'FACE7O', 'FACE0O', 'FACE4O', 'FACE19O', 'FACE1O'];

/** A face is at most 180 px wide: more dots would only be weight. */
const COLUMNS = 34;
const BOX = { width: 100, height: 136 };
const GAP = 16;

const PER_ROW: Readonly<Record<string, number>> = { 'faces-row': 8, 'faces-rows': 4 };
const ID = /^virtual:(faces-rows?)\.svg$/;

/** `cacheDir` is where the pictures lie until the build has copied them. */
export function paintedFaces(brandDir: string, cacheDir: string): Plugin {
  return {
    name: 'painted-faces',
    enforce: 'pre',
    async resolveId(source) {
      const name = ID.exec(source)?.[1];
      const perRow = PER_ROW[name ?? ''];
      if (name === undefined || perRow === undefined) return null;
      // A new URL per build: imports are cached by URL, and one process may build twice.
      const art = pathToFileURL(join(brandDir, 'art/ghost.ts')).href;
      const { ghostSvg }: BrandArt = await import(`${art}?${Date.now()}`);
      const path = join(cacheDir, `${name}.svg`);
      await mkdir(cacheDir, { recursive: true });
      await writeFile(path, drawFaces(ghostSvg, perRow));
      return path;
    },
    closeBundle: () => rm(cacheDir, { recursive: true, force: true }),
  };
}

/** The picture of so many faces a row. */
function drawFaces(ghostSvg: BrandArt['ghostSvg'], perRow: number): string {
  const faces = CODES.map((code, index) => {
    const [column, row] = [index % perRow, Math.floor(index / perRow)];
    const place = { x: column * (BOX.width + GAP), y: row * (BOX.height + GAP) };
    return placeFace(ghostSvg(code, { columns: COLUMNS }), { ...place, ...BOX });
  });
  const width = perRow * (BOX.width + GAP) - GAP;
  const height = (CODES.length / perRow) * (BOX.height + GAP) - GAP;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"`,
    ` width="${width}" height="${height}">${faces.join('')}</svg>`,
  ].join('');
}
