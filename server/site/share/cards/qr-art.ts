import type { Tokens } from '../brand-folder.ts';

const MODULE = 10;
const QUIET_MODULES = 4;
const CORNER_MODULES = 7;
/** Diameter of a dot in modules: dots that overlap survive scaling, blur and a tilted camera. */
const DOT_SIZE = 1.06;

/**
 * Mask in the finder patterns. Decoders look for a dark run of three modules through the middle, at
 * any tilt, so it fills them there, its eyes are small and high, and it is not the brand's mask.
 */
const MASK_OUTLINE = 'M7 0h16q7 0 7 7v10q0 13-13 13h-4Q0 30 0 17V7Q0 0 7 0Z';
const MASK_EYES = 'M13 10 6 6.6c.3 3 3.4 4.6 7 3.4Zm4 0 7-3.4c-.3 3-3.4 4.6-7 3.4Z';

export type QrModules = readonly (readonly boolean[])[];

/** Dark on light, because many readers cannot read the inverse. */
export function qrSvg(modules: QrModules, tokens: Tokens, attributes = ''): string {
  const { dark, light } = inkOf(tokens);
  const side = (modules.length + 2 * QUIET_MODULES) * MODULE;
  const farCorner = modules.length - CORNER_MODULES;
  const corners = [
    [0, 0],
    [farCorner, 0],
    [0, farCorner],
  ] as const;
  const margin = QUIET_MODULES * MODULE;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" ${attributes}>`,
    `<rect width="${side}" height="${side}" rx="${2.4 * MODULE}" fill="${light}"/>`,
    `<g transform="translate(${margin} ${margin})" fill="none" stroke="${dark}" `,
    'stroke-linecap="round">',
    `<path stroke-width="${MODULE * DOT_SIZE}" d="${dots(modules)}"/>`,
    ...corners.map(([column, row]) => corner(column * MODULE, row * MODULE, tokens)),
    '</g></svg>',
  ].join('');
}

function dots(modules: QrModules): string {
  const farCorner = modules.length - CORNER_MODULES;
  const isCorner = (x: number, y: number) =>
    (x < CORNER_MODULES && (y < CORNER_MODULES || y >= farCorner)) ||
    (x >= farCorner && y < CORNER_MODULES);
  const centre = (index: number) => index * MODULE + MODULE / 2;
  return modules
    .flatMap((row, y) =>
      row.map((isDark, x) => (isDark && !isCorner(x, y) ? `M${centre(x)} ${centre(y)}h0` : '')),
    )
    .join('');
}

/** Decoders expect a ring one module wide around three modules. */
function corner(x: number, y: number, tokens: Tokens): string {
  const { dark, light } = inkOf(tokens);
  const ring = (CORNER_MODULES - 1) * MODULE;
  return (
    `<rect x="${x + MODULE / 2}" y="${y + MODULE / 2}" width="${ring}" height="${ring}" ` +
    `rx="${1.8 * MODULE}" stroke-width="${MODULE}"/>` +
    `<g transform="translate(${x + 2 * MODULE} ${y + 2 * MODULE})" stroke="none">` +
    `<path fill="${dark}" d="${MASK_OUTLINE}"/><path fill="${light}" d="${MASK_EYES}"/></g>`
  );
}

/** A light brand swaps page and text colour. */
function inkOf({ void: page, bone: text }: Tokens): { dark: string; light: string } {
  return lightness(page) < lightness(text)
    ? { dark: page, light: text }
    : { dark: text, light: page };
}

function lightness(colour: string): number {
  return [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(colour.slice(at, at + 2), 16), 0);
}
