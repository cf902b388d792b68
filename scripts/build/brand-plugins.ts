import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { Brand, BrandArt } from '../../brand/brand-shape.ts';
import { placeFace } from '../../server/site/share/cards/canvas.ts';
import { importFresh } from './import-fresh.ts';

/** Drops what browsers must not see (docs/behaviour.md 1) and what would only be weight. */
export function shownBrand(brandDir: string): Plugin {
  const path = `${brandDir}/brand.ts`;
  return {
    name: 'shown-brand',
    enforce: 'pre',
    async load(id) {
      if (id !== path) return null;
      const { brand } = await importFresh<{ brand: Brand }>(path);
      const { mails: _, product: _later, copy, ...onPages } = brand;
      const { landingDescription: _landing, inviteDescription: _invite, ...shownCopy } = copy;
      const shown = {
        ...onPages,
        copy: shownCopy,
        tiers: brand.tiers.map(({ reward, picture }) => ({ reward, picture })),
        sizes: brand.sizes.map(({ name }) => ({ name })),
      };
      return `export const brand = ${JSON.stringify(shown)};`;
    },
  };
}

/** One code for each family of paint; no member's code has the letter O. */
const CODES = ['FACE3O', 'FACE6O', 'FACE5O', 'FACE7O', 'FACE0O', 'FACE4O', 'FACE19O', 'FACE1O'];

const COLUMNS = 34;
const BOX = { width: 100, height: 136 };
const GAP = 16;

const PER_ROW = 4;
const ID = /^virtual:(faces-rows|mask-stills)\.svg$/;

export function drawnPictures(brandDir: string, cacheDir: string): Plugin {
  const load = (file: string) =>
    importFresh<BrandArt & { stillsSvg: () => string }>(`${brandDir}/art/${file}`);

  async function draw(name: string): Promise<string> {
    if (name === 'faces-rows') return drawFaces((await load('ghost.ts')).ghostSvg);
    return (await load('mask-object.ts')).stillsSvg();
  }

  return {
    name: 'drawn-pictures',
    enforce: 'pre',
    async resolveId(source) {
      const name = ID.exec(source)?.[1];
      if (name === undefined) return null;
      const path = join(cacheDir, `${name}.svg`);
      await mkdir(cacheDir, { recursive: true });
      await writeFile(path, await draw(name));
      return path;
    },
    closeBundle: () => rm(cacheDir, { recursive: true, force: true }),
  };
}

function drawFaces(ghostSvg: BrandArt['ghostSvg']): string {
  const faces = CODES.map((code, index) => {
    const [column, row] = [index % PER_ROW, Math.floor(index / PER_ROW)];
    const place = { x: column * (BOX.width + GAP), y: row * (BOX.height + GAP) };
    return placeFace(ghostSvg(code, { columns: COLUMNS }), { ...place, ...BOX });
  });
  const width = PER_ROW * (BOX.width + GAP) - GAP;
  const height = (CODES.length / PER_ROW) * (BOX.height + GAP) - GAP;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"`,
    ` width="${width}" height="${height}">${faces.join('')}</svg>`,
  ].join('');
}
