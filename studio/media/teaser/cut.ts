import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import { DOT_STEP, type Dot, halftone } from '../../../brand/art/halftone.ts';
import { shapeMask } from '../../../brand/art/mask-object.ts';
import { MASK_BOUNDS, opening, V_STRETCH } from '../../../brand/art/mask-shape.ts';
import { brand } from '../../../brand/brand.ts';
import { isExampleLink } from '../../../contract/example-links.ts';
import { type CardStyle, cardFonts } from '../../../server/site/share/brand-folder.ts';
import {
  cardWords,
  drawText,
  fitDisplay,
  type TextPlace,
} from '../../../server/site/share/cards/draw-text.ts';
import { darkFrame, drawDots, drawLayer, type Frame, type PlacedDot, paletteOf } from './frame.ts';
import {
  FACES,
  type Glow,
  glowOfEyes,
  glowOfMask,
  glowOfMasks,
  rotationOfMask,
  textOpacity,
} from './timeline.ts';

export type Cut = (typeof cuts)[number];

const words = brand.name.split(' ');

/** Lengths in pixels. The mask of `maskTop` stands above the code, `turning` above the address. */
export const cuts = [
  {
    name: 'wide',
    width: 1280,
    height: 720,
    maskTop: 26,
    maskHeight: 590,
    code: { top: 638, size: 36 },
    masks: { perRow: 20, width: 40, stepX: 55, stepY: 68, indent: 0, top: 218 },
    turning: { top: 186, height: 400, columns: 38 },
    nameTop: 62,
    scarcityTop: 602,
    address: { top: 662, size: 26 },
    nameLines: [brand.name],
    nameSize: fitDisplay([brand.name], { width: 1152, max: 124 }),
  },
  {
    name: 'tall',
    width: 720,
    height: 900,
    maskTop: 34,
    maskHeight: 742,
    code: { top: 806, size: 48 },
    masks: { perRow: 10, width: 32, stepX: 62, stepY: 52, indent: 31, top: 264 },
    turning: { top: 262, height: 512, columns: 40 },
    nameTop: 40,
    scarcityTop: 796,
    address: { top: 850, size: 26 },
    nameLines: words,
    nameSize: fitDisplay(words, { width: 648, max: 112 }),
  },
];

/** Columns of dots: few enough for a small video bitrate. */
const COLUMNS = 56;
const SMALL_COLUMNS = 9;

const PAINT_GAMMA = 0.62;

const [, , , , { code: LAST_CODE }] = FACES;

/** The site to which the brand file links, unless that is an example. */
function lastLine({ privacy }: typeof brand.links): string {
  const isOwn = privacy !== undefined && !isExampleLink(privacy);
  return isOwn ? new URL(privacy).host : 'Join the waitlist';
}

export async function prepareCut(
  cut: Cut,
  style: CardStyle,
  brandDir: string,
): Promise<(seconds: number) => Frame> {
  const { width, height, dots } = halftone(COLUMNS);
  const eyes = eyeDots(width, height);
  const scale = cut.maskHeight / height;
  const left = (cut.width - width * scale) / 2;
  const palette = paletteOf(style.tokens);
  const layers = await textLayers(cut, style, brandDir);
  const turningMask = prepareTurningMask(cut);
  return (seconds) => {
    const frame = darkFrame(cut.width, cut.height, palette);
    const place = (dot: Dot, glow: Glow): PlacedDot => ({
      x: left + dot.x * scale,
      y: cut.maskTop + dot.y * scale,
      spacing: DOT_STEP * scale,
      light: dot.brightness ** (1 - (1 - PAINT_GAMMA) * Math.min(1, glow.charged * 2)),
      glow,
    });
    drawDots(frame, [
      ...dots.map((dot) => place(dot, glowOfMask(dot, seconds))),
      ...eyes.map((dot) => place(dot, glowOfEyes(dot, seconds))),
      ...smallMasks(cut, seconds),
      ...turningMask(seconds),
    ]);
    const opacity = textOpacity(seconds);
    drawLayer(frame, layers.name, opacity.name);
    drawLayer(frame, layers.scarcity, opacity.scarcity);
    drawLayer(frame, layers.address, opacity.address);
    layers.codes.forEach((layer, index) => {
      drawLayer(frame, layer, opacity.codes[index] ?? 0);
    });
    return frame;
  };
}

function smallMasks({ masks, width: frameWidth }: Cut, seconds: number): PlacedDot[] {
  const { width, dots } = halftone(SMALL_COLUMNS);
  const scale = masks.width / width;
  const rowWidth = (masks.perRow - 1) * masks.stepX + masks.width;
  const left = (frameWidth - rowWidth - masks.indent) / 2;
  return Array.from({ length: brand.maskCount }, (_, index) => {
    const { shown, lit } = glowOfMasks(index / brand.maskCount, seconds);
    if (shown === 0) return [];
    const row = Math.floor(index / masks.perRow);
    const x = left + (index % masks.perRow) * masks.stepX + (row % 2) * masks.indent;
    const y = masks.top + row * masks.stepY;
    return dots.map((dot) => ({
      x: x + dot.x * scale,
      y: y + dot.y * scale,
      spacing: DOT_STEP * scale,
      light: 0.5 + 0.5 * dot.brightness,
      glow: { unlit: 0.3 * shown * (1 - lit), charged: lit },
    }));
  }).flat();
}

/** The mask as an object, in the last face of the film. */
function prepareTurningMask({ turning, width }: Cut): (seconds: number) => PlacedDot[] {
  const steps = shapeMask(turning.columns);
  let step = steps.next();
  while (!step.done) step = steps.next();
  const mask = step.value;
  mask.paint(LAST_CODE);
  const scale = turning.height / mask.height;
  const left = (width - mask.width * scale) / 2;
  return (seconds) => {
    const { glow, yaw } = rotationOfMask(seconds);
    const dots: PlacedDot[] = [];
    if (glow === 0) return dots;
    const turned = mask.turn(yaw, 0, (x, y, level, isPainted) => {
      dots.push({
        x: left + x * scale,
        y: turning.top + y * scale,
        spacing: DOT_STEP * scale,
        light: ((level + 1) / mask.looks.length) ** (isPainted ? PAINT_GAMMA : 1),
        glow: isPainted ? { unlit: 0, charged: glow } : { unlit: 0.5 * glow, charged: 0 },
      });
    });
    for (const _ of turned);
    return dots;
  };
}

/** The mask has no dots in its openings; in the film, light stands behind the eyes. */
function eyeDots(width: number, height: number): Dot[] {
  const unitsPerU = width / MASK_BOUNDS.width;
  const dots: Dot[] = [];
  for (let y = 6, row = 0; y < height / 2; y += 12, row++) {
    const v = MASK_BOUNDS.top + y / (unitsPerU * V_STRETCH);
    for (let x = DOT_STEP / (row % 2 === 0 ? 2 : 1); x < width; x += DOT_STEP) {
      const u = MASK_BOUNDS.left + x / unitsPerU;
      const open = opening(Math.abs(u), v);
      if (open > 0.4) dots.push({ x, y, u, v, brightness: 0.35 + 0.6 * open });
    }
  }
  return dots;
}

/** From the top of a line to its baseline, and from line to line, in shares of the size. */
const BASELINE = { display: 0.794, mono: 1 } as const;
const LEADING = 0.92;

type Line = Pick<TextPlace, 'size' | 'fill'> & {
  readonly face: keyof typeof BASELINE;
  readonly top: number;
};

export async function textLayers(cut: Cut, { tokens }: CardStyle, brandDir: string) {
  const { width, height, nameSize } = cut;
  const font = cardFonts(brandDir);
  const render = async (lines: readonly string[], { top, ...line }: Line) => {
    const baseline = top + line.size * BASELINE[line.face];
    const drawn = lines.map((text, index) => {
      const place = { ...line, x: width / 2, y: baseline + index * line.size * LEADING };
      return drawText(text, place, tokens);
    });
    const svg = [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
      `<g text-anchor="middle">${drawn.join('')}</g></svg>`,
    ].join('');
    const png = new Resvg(svg, { font }).render().asPng();
    return await sharp(png).ensureAlpha().raw().toBuffer();
  };
  const display = { face: 'display', size: nameSize, fill: tokens.bone } as const;
  const mono = { face: 'mono', fill: tokens.bone } as const;
  const small = { size: Math.round(nameSize * 0.38), fill: tokens.afterglow };
  const scarcity = [cardWords.scarcity(brand.maskCount)];
  return {
    name: await render(cut.nameLines, { ...display, top: cut.nameTop }),
    scarcity: await render(scarcity, { ...display, ...small, top: cut.scarcityTop }),
    address: await render([lastLine(brand.links)], { ...mono, ...cut.address }),
    codes: await Promise.all(FACES.map(({ code }) => render([code], { ...mono, ...cut.code }))),
  };
}
