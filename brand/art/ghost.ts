import { type Dot, dotPaths, halftone, lightDots } from './halftone.ts';
import { MASK_BOUNDS } from './mask-shape.ts';
import { seedRandom } from './seeded-random.ts';
import { choosePaint, type Paint } from './war-paint.ts';

/** Below 1: lifts paint in the shadow, so that both halves of the face look mirrored. */
const PAINT_GAMMA = 0.62;

/** Paint glows: in the shadow its dots shrink more than they fade. */
const FAINTEST_PAINT = 0.62;

const COLUMNS = 52;
const COARSE = { columns: 4, rows: 11 };

export const paintOf = (code: string): Paint => choosePaint(seedRandom(code));

/** About one code in 2^14 has the same one, of 2^50 codes. */
export function coarsePaint(code: string): string {
  const isPainted = paintOf(code);
  const { top, height } = MASK_BOUNDS;
  return Array.from({ length: COARSE.rows }, (_, row) => {
    const v = top + ((row + 0.5) / COARSE.rows) * height;
    let bits = 0;
    for (let column = 0; column < COARSE.columns; column += 1) {
      const side = ((column + 0.5) / COARSE.columns) * -MASK_BOUNDS.left;
      bits = bits * 2 + (isPainted(side, v) ? 1 : 0);
    }
    return bits.toString(16);
  }).join('');
}

/** The light that all faces share, in steps. */
export const lightFaces = () => lightDots(COLUMNS);

/**
 * The face of a referral code as inline SVG, the same bytes on server and client in any letter
 * case. Colours are attributes, for use outside a page; pages recolour them by class.
 */
export function ghostSvg(code: string, { columns = COLUMNS }: { columns?: number } = {}): string {
  const isPainted = paintOf(code);
  const { width, height, dots } = halftone(columns);
  const painted: Dot[] = [];
  const bare: Dot[] = [];
  for (const dot of dots) {
    if (isPainted(Math.abs(dot.u), dot.v))
      painted.push({ ...dot, brightness: dot.brightness ** PAINT_GAMMA });
    else bare.push(dot);
  }
  const barePaths = dotPaths(bare, { scale: 0.72 });
  const paintPaths = dotPaths(painted, { scale: 1.04, faintest: FAINTEST_PAINT });
  return [
    `<svg class="ghost" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"`,
    ` fill="none" stroke-linecap="round" aria-hidden="true">`,
    `<g class="ghost-bare" stroke="#2f5741">${barePaths}</g>`,
    `<g class="ghost-paint" stroke="#8cffb0">${paintPaths}</g></svg>`,
  ].join('');
}
