import { maskSvg } from '../../../brand/art/mask.ts';

export const drawCell = (draw: typeof maskSvg): string =>
  draw({ columns: 8, levels: 1 }).replace('class="mask"', 'width="20" height="28"');

/** Drawn by the build, so no page contains the drawing (scripts/build/brand-plugins.ts). */
export const MASK_CELL = drawCell(maskSvg);
