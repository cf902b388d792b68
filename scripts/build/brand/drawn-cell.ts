import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** Puts the mask of the Hundred in the place of the code that draws it. */
export function drawnCell(brandDir: string, root: string): Plugin {
  const path = `${root}web/pages/parts/mask-cell.ts`;
  return {
    name: 'drawn-cell',
    enforce: 'pre',
    async load(id) {
      if (id !== path) return null;
      const load = (file: string) => import(`${pathToFileURL(file).href}?${Date.now()}`);
      const [{ drawCell }, { maskSvg }] = [await load(path), await load(`${brandDir}/art/mask.ts`)];
      return `export const MASK_CELL = ${JSON.stringify(drawCell(maskSvg))};`;
    },
  };
}
