import { rollCode } from './code-dice.ts';
import { type Dot, dotPaths, halftone } from './halftone.ts';
import { choosePaint } from './war-paint.ts';

const LEVELS = 6;

/** Below 1: lifts paint that lies in the shadow, so that both halves of the face read as mirrored. */
const PAINT_GAMMA = 0.62;

/** Paint glows by itself: its dots shrink in the shadow more than they fade. */
const FAINTEST_PAINT = 0.62;

/**
 * The face drawn from a referral code: mirrored war paint on the mask, as an inline SVG. The same code, in any letter
 * case, gives the same bytes on server and client. Colours are presentation attributes, so that it also renders alone;
 * a page recolours `.ghost-bare` and `.ghost-paint` in CSS.
 */
export function ghostSvg(code: string, { columns = 52 }: { columns?: number } = {}): string {
  const isPainted = choosePaint(rollCode(code));
  const { width, height, dots } = halftone(columns);
  const painted: Dot[] = [];
  const bare: Dot[] = [];
  for (const dot of dots) {
    if (isPainted(Math.abs(dot.u), dot.v)) painted.push({ ...dot, brightness: dot.brightness ** PAINT_GAMMA });
    else bare.push(dot);
  }
  return `<svg class="ghost" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" fill="none" stroke-linecap="round" aria-hidden="true"><g class="ghost-bare" stroke="#2f5741">${dotPaths(bare, { levels: LEVELS, scale: 0.72 })}</g><g class="ghost-paint" stroke="#8cffb0">${dotPaths(painted, { levels: LEVELS, scale: 1.04, faintest: FAINTEST_PAINT })}</g></svg>`;
}
