import type { Brand, BrandArt } from '../../../../brand/brand-shape.ts';
import { needToken } from '../../brand/token-rules.ts';

const COLOURS = [
  ...(['void', 'fog', 'bone', 'afterglow', 'charge', 'deep'] as const),
  ...(['ghost-bare', 'ghost-paint'] as const),
] as const;
const FONTS = ['font-display', 'font-mono', 'font-numeral'] as const;

export type Tokens = Readonly<Record<(typeof COLOURS)[number] | (typeof FONTS)[number], string>>;

export type CardStyle = {
  readonly brand: Brand;
  readonly tokens: Tokens;
  readonly ghostSvg: BrandArt['ghostSvg'];
  readonly maskSvg: BrandArt['maskSvg'];
};

export function readTokens(css: string): Tokens {
  return Object.fromEntries(
    [...COLOURS, ...FONTS].map((name) => [name, needToken(css, name)]),
  ) as Tokens;
}
