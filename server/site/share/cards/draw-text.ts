import type { Tokens } from '../brand-folder.ts';

export type TextPlace = {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly face: 'display' | 'mono' | 'numeral';
  readonly fill: string;
  readonly isAsWritten?: boolean;
};

const SETTINGS = {
  display: { tracking: -0.03, weight: 800 },
  mono: { tracking: 0.06, weight: 400 },
  numeral: { tracking: 0, weight: 900 },
} as const;

export const cardWords = {
  invited: ['You are', 'invited.'],
  scarcity: (maskCount: number) => `Only ${maskCount} masks`,
  noRestocks: 'No restocks',
  scan: ['Scan. Join.', 'Start higher.'],
} as const;

/** About the widest mean advance of capitals in a display face, in em. */
const WIDE_CAPITAL_EM = 0.8;

/** The largest size in the display face, up to `max`, at which every line fits the width. */
export function fitDisplay(
  lines: readonly string[],
  { width, max }: { width: number; max: number },
): number {
  const longest = Math.max(1, ...lines.map((line) => line.length));
  return Math.min(max, Math.floor(width / (longest * WIDE_CAPITAL_EM)));
}

export function drawText(
  text: string,
  { x, y, size, face, fill, isAsWritten = false }: TextPlace,
  tokens: Tokens,
): string {
  const { tracking, weight } = SETTINGS[face];
  const family = escapeXml(tokens[`font-${face}`]);
  const spacing = Number((tracking * size).toFixed(2));
  return (
    `<text x="${x}" y="${y}" font-family="${family}" font-weight="${weight}" ` +
    `font-size="${size}" letter-spacing="${spacing}" fill="${fill}">` +
    `${escapeXml(isAsWritten ? text : text.toUpperCase())}</text>`
  );
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', "'");
}
