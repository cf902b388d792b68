/** What a brand provides for its share images. */
import type { Brand, BrandArt } from '../../../../brand/brand-shape.ts';

/** The tokens that share images use. */
const COLOURS = ['void', 'fog', 'bone', 'afterglow', 'deep', 'ghost-bare', 'ghost-paint'] as const;
const FONTS = ['font-display', 'font-mono', 'font-numeral'] as const;

export type Tokens = Readonly<Record<(typeof COLOURS)[number] | (typeof FONTS)[number], string>>;

export type CardStyle = {
  readonly brand: Brand;
  readonly tokens: Tokens;
  readonly ghostSvg: BrandArt['ghostSvg'];
  readonly maskSvg: BrandArt['maskSvg'];
};

/** Reads the tokens from tokens.css. Throws when one is missing. */
export function readTokens(css: string): Tokens {
  return Object.fromEntries(
    [...COLOURS, ...FONTS].map((name) => [name, readToken(css, name)]),
  ) as Tokens;
}

/** The token's value, following var() references. */
function readToken(css: string, name: string): string {
  const value = new RegExp(`--${name}:\\s*([^;]+);`).exec(css)?.[1];
  if (value === undefined) throw new Error(`tokens.css has no --${name}`);
  const pointed = /^var\(--([a-z-]+)\)$/.exec(value)?.[1];
  return pointed === undefined ? value : readToken(css, pointed);
}
