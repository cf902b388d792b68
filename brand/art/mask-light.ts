import { opening, smoothStep, surfaceHeight } from './mask-shape.ts';

/** Step of the finite difference that gives the slope; small beside the thinnest groove (0.016). */
const SLOPE_STEP = 0.004;

/** Height assumed just outside the shell, so that the rim turns away from the eye and catches the light. */
const RIM_HEIGHT = -0.15;

/**
 * Brightness of the mask at (u, v): 0 to 1, or -1 outside the shell. Lambert light from three lamps: a key from the
 * upper left, a hard rim from the right, a faint fill from below; the face darkens toward the chin.
 */
export function brightness(u: number, v: number): number {
  if (surfaceHeight(u, v) < 0) return -1;
  const slopeU = (heightOrRim(u + SLOPE_STEP, v) - heightOrRim(u - SLOPE_STEP, v)) / (2 * SLOPE_STEP);
  const slopeV = (heightOrRim(u, v + SLOPE_STEP) - heightOrRim(u, v - SLOPE_STEP)) / (2 * SLOPE_STEP);
  const length = Math.hypot(slopeU, slopeV, 1);
  const facing = (x: number, y: number, z: number) =>
    Math.max(0, (-slopeU * x - slopeV * y + z) / (length * Math.hypot(x, y, z)));

  const key = 0.58 * facing(-0.75, -0.7, 0.55) ** 1.4;
  const rim = 0.5 * facing(0.95, 0.1, 0.12) ** 2.2;
  const fill = 0.1 * facing(0, 0.9, 0.5);
  const falloff = 1 - 0.35 * smoothStep(0.3, 1.2, v);
  return Math.min(1, (key + rim + fill + 0.05) * falloff * (1 - opening(u, v)) * 1.22);
}

function heightOrRim(u: number, v: number): number {
  const height = surfaceHeight(u, v);
  return height < 0 ? RIM_HEIGHT : height;
}
