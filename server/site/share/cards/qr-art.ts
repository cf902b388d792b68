import type { Tokens } from './card-style.ts';

const MODULE = 10;
const QUIET_MODULES = 4;
const CORNER_MODULES = 7;
/** Diameter of a dot in modules; smaller dots are lost when the image is scaled down. */
const DOT_SIZE = 0.92;

/** Decoders look for a dark run through the middle, so it is not the mask of the brand. */
const MASK_OUTLINE =
  'M10 .5c5.6 0 9.5 3.4 9.5 9.7 0 7.6-4 17.3-9.5 17.3S.5 17.8.5 10.2C.5 3.9 4.4.5 10 .5Z';
const MASK_EYES = 'M8.6 13 3.4 10.2c.3 2.8 2.4 4 5.2 2.8Zm2.8 0 5.2-2.8c-.3 2.8-2.4 4-5.2 2.8Z';

export type QrModules = readonly (readonly boolean[])[];

/** Dark on light, because many readers cannot read the inverse. */
export function qrSvg(modules: QrModules, tokens: Tokens, attributes = ''): string {
  const { dark, light } = inkOf(tokens);
  const side = (modules.length + 2 * QUIET_MODULES) * MODULE;
  const far = modules.length - CORNER_MODULES;
  const corners = [
    [0, 0],
    [far, 0],
    [0, far],
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
  const far = modules.length - CORNER_MODULES;
  const isCorner = (x: number, y: number) =>
    (x < CORNER_MODULES && (y < CORNER_MODULES || y >= far)) || (x >= far && y < CORNER_MODULES);
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
    `rx="${2.2 * MODULE}" stroke-width="${MODULE}"/>` +
    `<g transform="translate(${x + 20} ${y + 18.2}) scale(1.5 1.2)" stroke="none">` +
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
