import { maskSvg } from '../../../brand/art/mask.ts';

/** The mask in a few dots, 20 x 28. */
export const drawCell = (draw: typeof maskSvg): string =>
  draw({ columns: 8, levels: 1 }).replace('class="mask"', 'width="20" height="28"');

/** Drawn by the build: no page need know how (scripts/build/brand/drawn-cell.ts). */
export const MASK_CELL = drawCell(maskSvg);
