import type { Tokens } from '../../../server/site/share/brand-folder.ts';
import type { Glow } from './timeline.ts';

type Rgb = readonly [red: number, green: number, blue: number];

type Palette = Readonly<Record<'void' | 'bone' | 'deep' | 'afterglow' | 'charge', Rgb>>;

/** A picture of `width` x `height` pixels of 3 bytes. */
export type Frame = {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly palette: Palette;
};

export function paletteOf(tokens: Tokens): Palette {
  const rgb = (ink: keyof Palette): Rgb => {
    const hex = Number.parseInt(tokens[ink].slice(1), 16);
    return [hex >> 16, (hex >> 8) & 255, hex & 255];
  };
  return {
    void: rgb('void'),
    bone: rgb('bone'),
    deep: rgb('deep'),
    afterglow: rgb('afterglow'),
    charge: rgb('charge'),
  };
}

export function darkFrame(width: number, height: number, palette: Palette): Frame {
  const pixels = new Uint8Array(width * height * 3);
  for (let at = 0; at < pixels.length; at += 3) pixels.set(palette.void, at);
  return { width, height, pixels, palette };
}

export type PlacedDot = {
  readonly x: number;
  readonly y: number;
  readonly spacing: number;
  readonly light: number;
  readonly glow: Glow;
};

/**
 * Draws dots on the ground that they light up. Films keep colour at half the resolution: with green
 * ground between green dots the colour changes slowly, and the dots' edges are in the brightness,
 * which is kept whole. On black they would smear.
 */
export function drawDots(frame: Frame, dots: readonly PlacedDot[]): void {
  for (const dot of dots) lightGround(frame, dot);
  for (const dot of dots) drawDot(frame, dot);
}

/** A soft disc in deep around a charged dot, which joins those of its neighbours. */
function lightGround(frame: Frame, { x, y, spacing, light, glow }: PlacedDot): void {
  const strength = Math.min(1, light * glow.charged * 1.4);
  if (strength < 0.02) return;
  const radius = spacing * 1.15;
  const { void: dark, deep } = frame.palette;
  for (
    let row = Math.max(0, Math.floor(y - radius));
    row <= Math.min(frame.height - 1, Math.ceil(y + radius));
    row++
  ) {
    for (let column = Math.floor(x - radius); column <= Math.ceil(x + radius); column++) {
      const away = Math.hypot(column - x, row - y) / radius;
      const share = strength * Math.min(1, 2 * (1 - away));
      if (share <= 0) continue;
      const at = (row * frame.width + column) * 3;
      // Where discs meet, the one further from the dark ground counts.
      if (share <= groundAt(frame, at)) continue;
      for (let channel = 0; channel < 3; channel++) {
        const from = dark[channel] ?? 0;
        frame.pixels[at + channel] = from + ((deep[channel] ?? 0) - from) * share;
      }
    }
  }
}

/** How far the ground of a pixel is lit, 0 to 1, by its green. */
function groundAt({ pixels, palette }: Frame, at: number): number {
  const [, dark = 0] = palette.void;
  const [, deep = 0] = palette.deep;
  return deep === dark ? 1 : ((pixels[at + 1] ?? 0) - dark) / (deep - dark);
}

export function drawDot(frame: Frame, { x, y, spacing, light, glow }: PlacedDot): void {
  const strength = light * (glow.unlit + glow.charged);
  if (strength < 0.012) return;
  const radius = spacing * (0.14 + 0.36 * Math.min(1, strength));
  const colour = dotColour(light, glow, frame.palette);
  for (
    let row = Math.max(0, Math.floor(y - radius));
    row <= Math.min(frame.height - 1, Math.ceil(y + radius));
    row++
  ) {
    for (let column = Math.floor(x - radius); column <= Math.ceil(x + radius); column++) {
      const cover = Math.min(1, radius + 0.5 - Math.hypot(column - x, row - y));
      if (cover > 0) blend(frame.pixels, (row * frame.width + column) * 3, colour, cover);
    }
  }
}

export function drawLayer({ pixels }: Frame, rgba: Uint8Array, opacity: number): void {
  if (opacity <= 0) return;
  for (let from = 0, to = 0; to < pixels.length; from += 4, to += 3) {
    const alpha = ((rgba[from + 3] ?? 0) / 255) * opacity;
    if (alpha > 0)
      blend(pixels, to, [rgba[from] ?? 0, rgba[from + 1] ?? 0, rgba[from + 2] ?? 0], alpha);
  }
}

function dotColour(light: number, { unlit, charged }: Glow, palette: Palette): Rgb {
  const bone = Math.min(1, light * unlit * 2.6);
  const afterglow = Math.min(1, light * charged * 1.25);
  const charge = Math.min(1, Math.max(0, light * charged - 0.7) * 1.6);
  return [0, 1, 2].map((channel) => {
    const towards = (from: number, ink: keyof Palette, share: number) =>
      from + ((palette[ink][channel] ?? 0) - from) * share;
    const lit = towards(palette.void[channel] ?? 0, 'bone', bone);
    return towards(towards(lit, 'afterglow', afterglow), 'charge', charge);
  }) as unknown as Rgb;
}

function blend(pixels: Uint8Array, at: number, colour: Rgb, share: number): void {
  for (let channel = 0; channel < 3; channel++) {
    const before = pixels[at + channel] ?? 0;
    pixels[at + channel] = before + ((colour[channel] ?? 0) - before) * share;
  }
}
