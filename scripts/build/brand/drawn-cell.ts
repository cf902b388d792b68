import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { drawCell } from '../../../web/pages/parts/mask-cell.ts';

/** Puts the mask of the Hundred in the place of the code that draws it. */
export function drawnCell(brandDir: string, root: string): Plugin {
  const path = `${root}web/pages/parts/mask-cell.ts`;
  return {
    name: 'drawn-cell',
    enforce: 'pre',
    async load(id) {
      if (id !== path) return null;
      // A new URL per build, as for the brand file.
      const art = `${pathToFileURL(`${brandDir}/art/mask.ts`).href}?${Date.now()}`;
      const { maskSvg } = await import(art);
      return `export const MASK_CELL = ${JSON.stringify(drawCell(maskSvg))};`;
    },
  };
}
