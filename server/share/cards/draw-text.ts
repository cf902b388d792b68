import type { Tokens } from './card-style.ts';

export type TextPlace = {
  readonly x: number;
  /** Of the base line. */
  readonly y: number;
  readonly size: number;
  readonly face: 'display' | 'mono' | 'numeral';
  readonly fill: string;
};

/** Letter spacing in em and weight, as the site sets these faces. */
const SETTINGS = {
  display: { tracking: -0.03, weight: 800 },
  mono: { tracking: 0.06, weight: 400 },
  numeral: { tracking: 0, weight: 900 },
} as const;

/** Advance of a numeral in em, a hair above what it is: numerals share one width. */
const NUMERAL_ADVANCE = 0.62;

/** One line of text as SVG; display and mono are set in capitals, as on the site. */
export function drawText(text: string, { x, y, size, face, fill }: TextPlace, tokens: Tokens): string {
  const { tracking, weight } = SETTINGS[face];
  const family = escapeXml(tokens[`font-${face}`]);
  const spacing = Number((tracking * size).toFixed(2));
  return `<text x="${x}" y="${y}" font-family="${family}" font-weight="${weight}" font-size="${size}" letter-spacing="${spacing}" fill="${fill}">${escapeXml(text.toUpperCase())}</text>`;
}

/** The largest size, up to `most`, at which the numerals of `text` fit a width. */
export function fitNumerals(text: string, { width, most }: { width: number; most: number }): number {
  return Math.floor(Math.min(most, width / (text.length * NUMERAL_ADVANCE)));
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', "'");
}
