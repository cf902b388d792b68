import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import type { Brand } from '../../brand/brand-shape.ts';

/**
 * The brand file as the browser gets it: without the friends that a tier needs and without stock. SPEC 1: the server decides
 * those and they are not shown, so they may not stand in a script either. The words of mails would only be weight there.
 */
export function shownBrand(brandDir: string): Plugin {
  const path = `${brandDir}/brand.ts`;
  return {
    name: 'shown-brand',
    enforce: 'pre',
    async load(id) {
      if (id !== path) return null;
      // A new address each time: modules are cached by it, and one process may build twice.
      const { brand }: { brand: Brand } = await import(`${pathToFileURL(path).href}?${Date.now()}`);
      const { mails: _, ...onPages } = brand;
      const shown = {
        ...onPages,
        tiers: brand.tiers.map(({ reward }) => ({ reward })),
        sizes: brand.sizes.map(({ name }) => ({ name })),
      };
      return `export const brand = ${JSON.stringify(shown)};`;
    },
  };
}
