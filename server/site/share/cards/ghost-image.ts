import { canvas, drawGhost, drawUnlitMask } from './canvas.ts';
import type { CardStyle } from './card-style.ts';

/** Mails show it at 200 px. */
const SIDE = 400;
const FACE = { x: 50, y: 20, width: 300, height: 360 };

/** The ghost alone, for mails; the unlit mask for null. */
export function ghostImageSvg(code: string | null, style: CardStyle): string {
  const face = code === null ? drawUnlitMask(FACE, style) : drawGhost(code, FACE, style);
  return canvas({ width: SIDE, height: SIDE }, FACE, style.tokens, [face]);
}
