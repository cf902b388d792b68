import type { CardStyle, Tokens } from './card-style.ts';

type Size = { readonly width: number; readonly height: number };
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** How far the bare dots of a ghost are lifted toward its paint: chats show cards small, where thin dots drown. */
const BARE_LIFT = 0.22;

/** The whole picture: the dark, a glow behind the ghost, then what is drawn on it. */
export function canvas({ width, height }: Size, glow: Box, tokens: Tokens, parts: readonly string[]): string {
  const radius = Math.max(glow.width, glow.height) * 0.82;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<style>.ghost-bare{stroke:${mix(tokens['ghost-bare'], tokens['ghost-paint'], BARE_LIFT)}}.ghost-paint{stroke:${tokens['ghost-paint']}}</style>`,
    `<radialGradient id="glow" gradientUnits="userSpaceOnUse" cx="${glow.x + glow.width / 2}" cy="${glow.y + glow.height / 2}" r="${radius}">`,
    `<stop offset="0" stop-color="${tokens.deep}" stop-opacity=".62"/><stop offset=".45" stop-color="${tokens.deep}" stop-opacity=".3"/><stop offset="1" stop-color="${tokens.deep}" stop-opacity="0"/></radialGradient>`,
    `<rect width="${width}" height="${height}" fill="${tokens.void}"/><rect width="${width}" height="${height}" fill="url(#glow)"/>`,
    ...parts,
    '</svg>',
  ].join('');
}

/** The ghost of a code, as large as fits the box, in its middle. */
export function drawGhost(code: string, box: Box, { ghostSvg }: CardStyle): string {
  return placeFace(ghostSvg(code), box);
}

/** The bare mask of nobody, likewise. */
export function drawUnlitMask(box: Box, { maskSvg, tokens }: CardStyle): string {
  return placeFace(maskSvg(), box).replace('<svg ', `<svg color="${tokens.fog}" `);
}

function placeFace(svg: string, { x, y, width, height }: Box): string {
  return svg.replace('<svg ', `<svg x="${x}" y="${y}" width="${width}" height="${height}" `);
}

/** Between two #rrggbb colours. */
function mix(from: string, to: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [one = 0, other = 0] = [from, to].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16));
    return Math.round(one + (other - one) * share)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}
