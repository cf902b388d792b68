/** Square pictures in mails: the face of a member, and a reward with it. */
import type { RewardPicture } from '../../../../brand/brand-shape.ts';
import { DOTTED_FROM, REWARD_DRAWINGS } from '../../../../contract/reward-drawings.ts';
import type { CardStyle } from '../brand-folder.ts';
import { canvas, drawGhost, placeFace } from './canvas.ts';

export type RewardImage = { readonly picture: RewardPicture; readonly code: string };

const SIZE = { width: 400, height: 400 };
const GHOST = { x: 50, y: 20, width: 300, height: 360 };
const MARGIN = 40;
const SCALE = (SIZE.width - 2 * MARGIN) / 64;
/** Dots across a small face: more would run together. */
const FEW_COLUMNS = 22;

export function ghostImageSvg(code: string | null, style: CardStyle): string {
  return canvas(SIZE, GHOST, style.tokens, [drawGhost(code, GHOST, style)]);
}

export function rewardImageSvg({ picture, code }: RewardImage, style: CardStyle): string {
  const { outline, face } = REWARD_DRAWINGS[picture];
  const options = face.width < DOTTED_FROM ? { columns: FEW_COLUMNS } : {};
  return canvas(SIZE, GHOST, style.tokens, [
    `<path d="${outline}" transform="translate(${MARGIN} ${MARGIN}) scale(${SCALE})" `,
    `fill="${style.tokens.void}" stroke="${style.tokens.charge}" stroke-width="1" `,
    'stroke-linejoin="round"/>',
    placeFace(style.ghostSvg(code, options), {
      x: MARGIN + face.x * SCALE,
      y: MARGIN + face.y * SCALE,
      width: face.width * SCALE,
      height: 1.4 * face.width * SCALE,
    }),
  ]);
}
