import { heightsAt, opening, smoothStep } from './mask-shape.ts';

/** Step of the finite difference that gives the slope; small beside the thinnest groove (0.016). */
const SLOPE_STEP = 0.004;

/** Height assumed just outside the shell, so that the rim turns away from the eye and catches the light. */
const RIM_HEIGHT = -0.15;

/** How the mask turns and opens at a place, the same on both sides of the nose. */
export type Surface = { readonly slopeOut: number; readonly slopeV: number; readonly solid: number };

/** Brightness of the mask at (u, v): 0 to 1, or -1 outside the shell. */
export function brightness(u: number, v: number): number {
  const surface = surfacesAt(v)(Math.abs(u));
  return surface === null ? -1 : lightOn(surface, u, v);
}

/** The surfaces of one row, by the distance from the nose; null outside the shell. */
export function surfacesAt(v: number): (side: number) => Surface | null {
  const [heights, above, below] = [heightsAt(v), heightsAt(v - SLOPE_STEP), heightsAt(v + SLOPE_STEP)];
  const slope = (from: number, to: number) => (heightOrRim(to) - heightOrRim(from)) / (2 * SLOPE_STEP);
  return (side) => {
    if (heights(side) < 0) return null;
    return {
      slopeOut: slope(heights(Math.abs(side - SLOPE_STEP)), heights(side + SLOPE_STEP)),
      slopeV: slope(above(side), below(side)),
      solid: 1 - opening(side, v),
    };
  };
}

/**
 * Lambert light from three lamps: a key from the upper left, a hard rim from the right, a faint fill from below; the face darkens
 * toward the chin.
 */
export function lightOn({ slopeOut, slopeV, solid }: Surface, u: number, v: number): number {
  const slopeU = u < 0 ? -slopeOut : slopeOut;
  const length = Math.sqrt(slopeU * slopeU + slopeV * slopeV + 1);
  const facing = ([x, y, z]: Lamp) => Math.max(0, (z - slopeU * x - slopeV * y) / length);
  const key = 0.58 * facing(KEY) ** 1.4;
  const rim = 0.5 * facing(RIM) ** 2.2;
  const fill = 0.1 * facing(FILL);
  const falloff = 1 - 0.35 * smoothStep(0.3, 1.2, v);
  return Math.min(1, (key + rim + fill + 0.05) * falloff * solid * 1.22);
}

/** Where it stands, one unit away. */
type Lamp = readonly [x: number, y: number, z: number];

const KEY = lampAt(-0.75, -0.7, 0.55);
const RIM = lampAt(0.95, 0.1, 0.12);
const FILL = lampAt(0, 0.9, 0.5);

function lampAt(x: number, y: number, z: number): Lamp {
  const distance = Math.hypot(x, y, z);
  return [x / distance, y / distance, z / distance];
}

function heightOrRim(height: number): number {
  return height < 0 ? RIM_HEIGHT : height;
}
