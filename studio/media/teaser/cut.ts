import { readFile } from 'node:fs/promises';
import { DOT_STEP, type Dot, halftone } from '../../../brand/art/halftone.ts';
import { MASK_BOUNDS, opening, V_STRETCH } from '../../../brand/art/mask-shape.ts';
import { brand } from '../../../brand/brand.ts';
import { fitText } from '../fit-text.ts';
import type { Stills } from '../stills.ts';
import { darkFrame, drawDot, drawLayer, type Frame, readPalette } from './frame.ts';
import { glowOfEyes, glowOfMask, textOpacity } from './timeline.ts';

/** One format of the film. */
export type Cut = {
  readonly name: 'wide' | 'tall';
  readonly width: number;
  readonly height: number;
  readonly maskHeight: number;
  readonly nameLines: readonly string[];
  readonly nameSize: number;
};

const words = brand.name.split(' ');
/** Of the frame's width. */
const WIDEST_NAME = 0.9;

export const cuts: readonly Cut[] = [
  {
    name: 'wide',
    width: 1280,
    height: 720,
    maskHeight: 664,
    nameLines: [brand.name],
    nameSize: fitText([brand.name], { width: 1280 * WIDEST_NAME, max: 124 }),
  },
  {
    name: 'tall',
    width: 720,
    height: 900,
    maskHeight: 800,
    nameLines: words,
    nameSize: fitText(words, { width: 720 * WIDEST_NAME, max: 132 }),
  },
];

const TOKENS = new URL('../../../brand/tokens.css', import.meta.url);

/** Columns of dots: few enough for a small video bitrate. */
const COLUMNS = 56;

/** Returns a function that draws the frame of any moment. */
export async function prepareCut(cut: Cut, stills: Stills): Promise<(seconds: number) => Frame> {
  const { width, height, dots } = halftone(COLUMNS);
  const eyes = eyeDots(width, height);
  const scale = cut.maskHeight / height;
  const left = (cut.width - width * scale) / 2;
  const top = (cut.height - cut.maskHeight) / 2;
  const palette = readPalette(await readFile(TOKENS, 'utf8'));
  const name = await textLayer(cut, stills, 'name');
  const scarcity = await textLayer(cut, stills, 'scarcity');
  return (seconds) => {
    const frame = darkFrame(cut.width, cut.height, palette);
    const draw = (dot: Dot, glow: ReturnType<typeof glowOfMask>) =>
      drawDot(frame, {
        x: left + dot.x * scale,
        y: top + dot.y * scale,
        spacing: DOT_STEP * scale,
        light: dot.brightness,
        glow,
      });
    for (const dot of dots) draw(dot, glowOfMask(dot, seconds));
    for (const dot of eyes) draw(dot, glowOfEyes(dot, seconds));
    const opacity = textOpacity(seconds);
    drawLayer(frame, name, opacity.name);
    drawLayer(frame, scarcity, opacity.scarcity);
    return frame;
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

/** One line of text as transparent pixels of the frame's size. */
function textLayer(cut: Cut, stills: Stills, shown: 'name' | 'scarcity'): Promise<Uint8Array> {
  return stills.renderPixels({
    markup: `<div><p class="name">${cut.nameLines.join('<br>')}</p>
<p class="scarcity">Only ${brand.maskCount} masks</p></div>`,
    css: `body { display: grid; place-items: center; height: ${cut.height}px;
  text-transform: uppercase; text-align: center }
p { font-family: var(--font-display); letter-spacing: var(--tracking-display);
  line-height: var(--leading-display); visibility: hidden }
.name { font-size: ${cut.nameSize}px; color: var(--bone) }
.scarcity { margin-top: 34px; font-size: ${Math.round(cut.nameSize * 0.36)}px;
  color: var(--afterglow) }
.${shown} { visibility: visible }`,
    width: cut.width,
    height: cut.height,
  });
}
