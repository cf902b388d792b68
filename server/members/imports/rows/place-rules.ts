/** The places at which the rows of a list join. */
import { findCircles } from './circle-rules.ts';

export type PlacedRow = {
  readonly ordinal: number;
  /** Among those that join, from 1. */
  readonly place: number;
  /** How many rows that join came by this one. */
  readonly friends: number;
  /** Its referrers form a circle: it joins without one. */
  readonly in_circle: boolean;
};

/**
 * Rows join in the order of `times`, and of the file where these are equal. Everything is by the
 * ordinal of a row, less 1: `referrers` has that of its referrer, or -1; `times` is NaN, and the
 * result null, for a row that is left out.
 */
export function placeRows(referrers: Int32Array, times: Float64Array): (PlacedRow | null)[] {
  const circles = new Set(findCircles(referrers));
  const friends = new Int32Array(referrers.length);
  for (const [row, referrer] of referrers.entries())
    if (referrer >= 0 && !circles.has(row)) friends[referrer] = (friends[referrer] ?? 0) + 1;
  const timeOf = (row: number) => times[row] ?? 0;
  const joining = [...times.keys()]
    .filter((row) => !Number.isNaN(times[row]))
    .sort((one, other) => timeOf(one) - timeOf(other) || one - other);
  const placed = new Array<PlacedRow | null>(times.length).fill(null);
  for (const [index, row] of joining.entries())
    placed[row] = {
      ordinal: row + 1,
      place: index + 1,
      friends: friends[row] ?? 0,
      in_circle: circles.has(row),
    };
  return placed;
}
