import { lightOn, type Surface, surfacesAt } from './mask-light.ts';
import { MASK_BOUNDS, V_STRETCH } from './mask-shape.ts';

/**
 * A hexagonal grid of whole numbers: paths without decimals repeat themselves and compress well.
 * 12/14 is within 1% of the exact sqrt(3)/2.
 */
export const DOT_STEP = 14;
export const ROW_STEP = 12;

/** Darker dots would be invisible and are left out. */
export const DARKEST_DOT = 0.045;

export type Dot = {
  /** Whole grid units from the top left. */
  readonly x: number;
  readonly y: number;
  /** Coordinates on the mask, see mask-shape.ts. */
  readonly u: number;
  readonly v: number;
  /** 0.045 to 1. */
  readonly brightness: number;
};

export type Grid = {
  readonly width: number;
  readonly height: number;
  readonly dots: readonly Dot[];
};

/** By columns. Light is the costly part of a picture, and the same for every face. */
const grids = new Map<number, Grid>();

/** The lit mask as dots, row by row. The grid is symmetric about the nose. */
export function halftone(columns: number): Grid {
  for (const _ of lightDots(columns));
  return grids.get(columns) as Grid;
}

/** Dots as stroke paths, one per level of brightness: a stroke without length is a round dot. */
export function dotPaths(
  dots: readonly Dot[],
  { levels = 6, ...look }: { levels?: number | undefined; scale?: number; faintest?: number },
): string {
  const byLevel: Dot[][] = Array.from({ length: levels }, () => []);
  for (const dot of dots)
    byLevel[Math.min(levels - 1, Math.floor(dot.brightness * levels))]?.push(dot);
  return byLevel
    .map((members, level) => {
      if (members.length === 0) return '';
      const { diameter, opacity } = dotLook((level + 1) / levels, look);
      const width = round(diameter, 1);
      const shown = round(opacity, 2);
      return `<path stroke-width="${width}" opacity="${shown}" d="${dotPath(members)}"/>`;
    })
    .join('');
}

/** Brighter dots are wider and more opaque. `strength` is 0 to 1. */
export function dotLook(
  strength: number,
  { scale = 1, faintest = 0.34 }: { scale?: number; faintest?: number },
) {
  return {
    diameter: (0.28 + 0.62 * strength) * DOT_STEP * scale,
    opacity: faintest + (1 - faintest) * strength,
  };
}

/** Size of the grid of `columns` dots across. */
export function gridOf(columns: number) {
  const width = columns * DOT_STEP;
  const unitsPerU = width / MASK_BOUNDS.width;
  const rows = Math.round((MASK_BOUNDS.height * unitsPerU * V_STRETCH) / ROW_STEP);
  return { width, unitsPerU, rows };
}

/** Rests after each row, because it keeps a slow phone busy. */
export function* lightDots(columns: number): Generator<void, void> {
  if (grids.has(columns)) return;
  const { width, unitsPerU, rows } = gridOf(columns);
  const dots: Dot[] = [];
  for (let row = 0; row < rows; row++) {
    yield;
    const y = row * ROW_STEP + ROW_STEP / 2;
    const v = MASK_BOUNDS.top + y / (unitsPerU * V_STRETCH);
    const surfaceAt = surfacesAt(v);
    const surfaces = new Map<number, Surface | null>();
    for (let x = DOT_STEP / (row % 2 === 0 ? 2 : 1); x < width; x += DOT_STEP) {
      const u = MASK_BOUNDS.left + x / unitsPerU;
      const fromEdge = Math.min(x, width - x);
      // The right half reuses the surfaces of the left one.
      if (x === fromEdge) surfaces.set(fromEdge, surfaceAt(Math.abs(u)));
      const surface = surfaces.get(fromEdge);
      const light = surface ? lightOn(surface, u, v) : 0;
      if (light >= DARKEST_DOT) dots.push({ x, y, u, v, brightness: light });
    }
  }
  grids.set(columns, { width, height: rows * ROW_STEP, dots });
}

/** Relative moves, as a path's first one may be: neighbouring dots repeat the same characters. */
function dotPath(dots: readonly Dot[]): string {
  let path = '';
  let lastX = 0;
  let lastY = 0;
  for (const { x, y } of dots) {
    const dy = y - lastY;
    path += `m${x - lastX}${dy < 0 ? '' : ' '}${dy}h0`;
    lastX = x;
    lastY = y;
  }
  return path;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
