import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import type { Brand } from '../../../brand/brand-shape.ts';

/**
 * The brand file as the browser gets it: without thresholds and stock (docs/behaviour.md 1),
 * without the rules of doubtful credits, which nobody needs to study, and without the words of
 * mails and descriptions, which would only be weight.
 */
export function shownBrand(brandDir: string): Plugin {
  const path = `${brandDir}/brand.ts`;
  return {
    name: 'shown-brand',
    enforce: 'pre',
    async load(id) {
      if (id !== path) return null;
      // A new URL per build: imports are cached by URL, and one process may build twice.
      const { brand }: { brand: Brand } = await import(`${pathToFileURL(path).href}?${Date.now()}`);
      const { mails: _, fairness: _rules, copy, ...onPages } = brand;
      const { landingDescription: _landing, inviteDescription: _invite, ...shownCopy } = copy;
      const shown = {
        ...onPages,
        copy: shownCopy,
        tiers: brand.tiers.map(({ reward }) => ({ reward })),
        sizes: brand.sizes.map(({ name }) => ({ name })),
      };
      return `export const brand = ${JSON.stringify(shown)};`;
    },
  };
}
