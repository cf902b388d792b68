import type { CardStyle, Tokens } from '../brand-folder.ts';

type Size = { readonly width: number; readonly height: number };
export type Box = Size & { readonly x: number; readonly y: number };

const BARE_LIFT = 0.22;

export function canvas(
  { width, height }: Size,
  glow: Box,
  tokens: Tokens,
  parts: readonly string[],
): string {
  const { deep, void: page, 'ghost-bare': bare, 'ghost-paint': paint } = tokens;
  const radius = Math.max(glow.width, glow.height) * 0.82;
  const [centreX, centreY] = [glow.x + glow.width / 2, glow.y + glow.height / 2];
  const sides = `width="${width}" height="${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${sides}>`,
    `<style>.ghost-bare{stroke:${mix(bare, paint, BARE_LIFT)}}`,
    `.ghost-paint{stroke:${paint}}</style>`,
    '<radialGradient id="glow" gradientUnits="userSpaceOnUse" ',
    `cx="${centreX}" cy="${centreY}" r="${radius}">`,
    `<stop offset="0" stop-color="${deep}" stop-opacity=".62"/>`,
    `<stop offset=".45" stop-color="${deep}" stop-opacity=".3"/>`,
    `<stop offset="1" stop-color="${deep}" stop-opacity="0"/></radialGradient>`,
    `<rect ${sides} fill="${page}"/><rect ${sides} fill="url(#glow)"/>`,
    ...parts,
    '</svg>',
  ].join('');
}

export function drawGhost(code: string | null, box: Box, style: CardStyle): string {
  if (code !== null) return placeFace(style.ghostSvg(code), box);
  return placeFace(style.maskSvg(), box).replace('<svg ', `<svg color="${style.tokens.fog}" `);
}

export function placeFace(svg: string, { x, y, width, height }: Box): string {
  return svg.replace('<svg ', `<svg x="${x}" y="${y}" width="${width}" height="${height}" `);
}

function mix(from: string, to: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [one = 0, other = 0] = [from, to].map((colour) =>
      Number.parseInt(colour.slice(at, at + 2), 16),
    );
    return Math.round(one + (other - one) * share)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}
