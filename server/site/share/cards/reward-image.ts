import type { RewardPicture } from '../../../../brand/brand-shape.ts';
import { DOTTED_FROM, REWARD_DRAWINGS } from '../../../../contract/reward-drawings.ts';
import { canvas, GHOST_BOX, GHOST_SIDE, placeFace } from './canvas.ts';
import type { CardStyle } from './card-style.ts';

export type RewardImage = { readonly picture: RewardPicture; readonly code: string };

const MARGIN = 40;
const SCALE = (GHOST_SIDE - 2 * MARGIN) / 64;
/** Dots across a small face: more would run together. */
const FEW_COLUMNS = 22;

/** The picture of a reward with the member's face on it, as large as that of the face alone. */
export function rewardImageSvg({ picture, code }: RewardImage, style: CardStyle): string {
  const { outline, face } = REWARD_DRAWINGS[picture];
  const options = face.width < DOTTED_FROM ? { columns: FEW_COLUMNS } : {};
  const size = { width: GHOST_SIDE, height: GHOST_SIDE };
  return canvas(size, GHOST_BOX, style.tokens, [
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
