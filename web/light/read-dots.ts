/**
 * Reads the dots back from a picture that the page holds already: strokes of length zero with round caps, all moves
 * relative. So the browser need not know how the picture was drawn, and a brand whose art has no dots has no light on it.
 */

/** Centre and diameter in the units of the picture's view box. */
export type Dot = { readonly x: number; readonly y: number; readonly diameter: number };

/** A path of dots: how thick they are, and the moves from each to the next. */
export type DotPath = { readonly diameter: number; readonly moves: string };

const MOVE = /m(-?\d+) ?(-?\d+)h0/gi;

export function readDots(paths: Iterable<DotPath>): Dot[] {
  const dots: Dot[] = [];
  for (const { diameter, moves } of paths) {
    let x = 0;
    let y = 0;
    for (const [, dx, dy] of moves.matchAll(MOVE)) {
      x += Number(dx);
      y += Number(dy);
      dots.push({ x, y, diameter });
    }
  }
  return dots;
}
