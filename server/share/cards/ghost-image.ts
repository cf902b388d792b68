import { canvas, drawGhost, drawUnlitMask } from './canvas.ts';
import type { CardStyle } from './card-style.ts';

/** Twice the 200 px that mails show it at. */
const SIDE = 400;
const FACE = { x: 50, y: 20, width: 300, height: 360 };

/** A face alone, as mails show it: drawn from the code, or the bare mask where there is no code of a member. */
export function ghostImageSvg(code: string | null, style: CardStyle): string {
  const face = code === null ? drawUnlitMask(FACE, style) : drawGhost(code, FACE, style);
  return canvas({ width: SIDE, height: SIDE }, FACE, style.tokens, [face]);
}
