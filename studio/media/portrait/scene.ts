/**
 * The mask on a head, as distances: the height field of the mask becomes a solid, and rays march
 * through the distances to what is nearest. Lengths are those of mask-shape.ts; x points to the
 * right, y down, z out of the face.
 */
import {
  heightsAt,
  MASK_BOUNDS,
  opening,
  shellHalfWidth,
  V_STRETCH,
} from '../../../brand/art/mask-shape.ts';
import { add, dot, unit, type Vector } from './vector.ts';

export type Part = 'mask' | 'fabric' | 'strap' | 'buckle';
export type Hit = { readonly at: Vector; readonly part: Part };

/** Depth of the height field beside its width, as in mask-object.ts. */
const DEPTH = 0.62;
/** The rim of the mask lies so far behind the origin, and the mask goes a little further. */
const RIM = -0.2;
const EDGE = 0.03;

const TOP = MASK_BOUNDS.top + 0.035;
const BOTTOM = 1.155;
const clampV = (v: number) => Math.min(BOTTOM, Math.max(TOP, v));

/** Rows and columns of the stored field, which takes a microsecond for each height. */
const GRID = 700;
const field = readField();

/** Columns are denser towards the rim, where the shell is steep. */
function readField() {
  const heights = new Float32Array(GRID * GRID);
  const holes = new Float32Array(GRID * GRID);
  for (let row = 0; row < GRID; row += 1) {
    const v = TOP + ((BOTTOM - TOP) * row) / (GRID - 1);
    const heightAt = heightsAt(v);
    const halfWidth = shellHalfWidth(v);
    for (let column = 0; column < GRID; column += 1) {
      const side = halfWidth * (1 - (1 - column / (GRID - 1)) ** 2);
      heights[row * GRID + column] = Math.max(0, heightAt(side)) * DEPTH + RIM;
      holes[row * GRID + column] = opening(side, v);
    }
  }
  return { heights, holes };
}

function read(grid: Float32Array, side: number, v: number): number {
  const last = GRID - 1.001;
  const y = Math.min(last, ((clampV(v) - TOP) / (BOTTOM - TOP)) * (GRID - 1));
  const share = Math.min(1, side / shellHalfWidth(clampV(v)));
  const x = Math.min(last, (1 - Math.sqrt(1 - share)) * (GRID - 1));
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const [right, down] = [x - column, y - row];
  const at = (r: number, c: number) => grid[r * GRID + c] as number;
  return (
    (at(row, column) * (1 - right) + at(row, column + 1) * right) * (1 - down) +
    (at(row + 1, column) * (1 - right) + at(row + 1, column + 1) * right) * down
  );
}

const SLOPE_STEP = 0.004;
const STEEPEST = 9;
/** Distances to a height field are estimates: shorter steps keep rays from passing through it. */
const CAUTION = 0.5;
/** Beyond the outline by more, the box around the mask is near enough. */
const NEAR_OUTLINE = 0.05;

function toMask([x, y, z]: Vector): number {
  const v = y / V_STRETCH;
  const halfWidth = shellHalfWidth(clampV(v));
  const beyond = Math.max(Math.abs(x) - halfWidth, TOP - v, v - BOTTOM);
  if (beyond > NEAR_OUTLINE) {
    const ahead = Math.max(0, z - 0.5, RIM - 0.1 - z);
    return Math.sqrt(beyond * beyond + ahead * ahead) * 0.8;
  }
  const side = Math.min(Math.abs(x), halfWidth);
  const height = (from: number, at: number) => read(field.heights, Math.max(0, from), at);
  const slopeOut = height(side + SLOPE_STEP, v) - height(side - SLOPE_STEP, v);
  const slopeDown = height(side, v + SLOPE_STEP) - height(side, v - SLOPE_STEP);
  const slope = (slopeOut * slopeOut + slopeDown * slopeDown) / (4 * SLOPE_STEP * SLOPE_STEP);
  const above = (z - height(side, v)) / Math.min(STEEPEST, Math.sqrt(1 + slope));
  const solid = Math.max(above, RIM - EDGE - z) * CAUTION;
  const hole = (read(field.holes, side, v) - 0.5) * 0.05;
  return Math.max(solid, beyond * 0.8, hole);
}

function toEllipsoid(at: Vector, centre: Vector, radii: Vector): number {
  const [x, y, z] = add(at, centre, -1);
  const scaled: Vector = [x / radii[0], y / radii[1], z / radii[2]];
  const twice: Vector = [scaled[0] / radii[0], scaled[1] / radii[1], scaled[2] / radii[2]];
  const length = Math.sqrt(dot(scaled, scaled));
  return (length * (length - 1)) / Math.max(1e-6, Math.sqrt(dot(twice, twice)));
}

/** The smaller of two distances, rounded where they meet. */
function blend(a: number, b: number, width: number): number {
  const share = Math.max(0, width - Math.abs(a - b)) / width;
  return Math.min(a, b) - (share * share * width) / 4;
}

function toHead(at: Vector): number {
  const skull = toEllipsoid(at, [0, -0.12, -0.5], [0.735, 1.08, 0.86]);
  const jaw = toEllipsoid(at, [0, 0.55, -0.2], [0.5, 0.55, 0.5]);
  const [x, y, z] = at;
  const neck = Math.max(Math.sqrt(x ** 2 + (z + 0.62 + (y - 1) * 0.12) ** 2) - 0.47, 0.2 - y);
  const shoulders = toEllipsoid(at, [0, 2.35, -0.72], [1.75, 0.78, 0.72]);
  return blend(blend(blend(skull, jaw, 0.2), neck, 0.25), shoulders, 0.5);
}

/** A band around the head that rises towards its back. */
function toBand([, y, z]: Vector, head: number, lift: number, halfWidth: number): number {
  const across = Math.abs(y + 0.34 + (z + 0.1) * 0.12) - halfWidth;
  return Math.max(Math.abs(head - lift) - 0.016, across);
}

function nearest(at: Vector): { readonly distance: number; readonly part: Part } {
  const head = toHead(at);
  const strap = Math.max(toBand(at, head, 0.03, 0.085), at[2] + 0.17) * 0.8;
  const buckle = Math.max(toBand(at, head, 0.045, 0.115), Math.abs(at[2] + 0.42) - 0.055) * 0.8;
  let found: { distance: number; part: Part } = { distance: head, part: 'fabric' };
  for (const [distance, part] of [
    [toMask(at), 'mask'],
    [strap, 'strap'],
    [buckle, 'buckle'],
  ] as const)
    if (distance < found.distance) found = { distance, part };
  return found;
}

const FAR = 9;
const MOST_STEPS = 220;
const TOUCHING = 0.0012;

export function march(from: Vector, along: Vector): Hit | null {
  let travelled = 0;
  for (let step = 0; step < MOST_STEPS && travelled < FAR; step += 1) {
    const at = add(from, along, travelled);
    const { distance, part } = nearest(at);
    if (distance < TOUCHING) return { at, part };
    travelled += distance;
  }
  return null;
}

/** Whether anything stands between a point and a lamp in that direction. */
export function isShaded(at: Vector, lamp: Vector): boolean {
  let travelled = 0.01;
  for (let step = 0; step < MOST_STEPS / 2 && travelled < FAR / 3; step += 1) {
    const { distance } = nearest(add(at, lamp, travelled));
    if (distance < TOUCHING * 0.7) return true;
    travelled += Math.max(0.006, distance);
  }
  return false;
}

export function normalAt(at: Vector): Vector {
  const step = 0.0022;
  const slope = (x: number, y: number, z: number) =>
    nearest(add(at, [x, y, z], step)).distance - nearest(add(at, [x, y, z], -step)).distance;
  return unit([slope(1, 0, 0), slope(0, 1, 0), slope(0, 0, 1)]);
}

/** Share of the surrounding light that reaches a point: 0 in a crack, 1 on a brow. */
export function openness(at: Vector, normal: Vector): number {
  let hidden = 0;
  for (let step = 1; step <= 5; step += 1) {
    const height = 0.03 + 0.055 * step;
    hidden += (height - nearest(add(at, normal, height)).distance) * 0.72 ** (step - 1);
  }
  return Math.min(1, Math.max(0, 1 - 1.5 * hidden));
}
