import { heightsAt, opening, smoothStep } from './mask-shape.ts';

/** Step of the finite difference that gives the slope; small beside the thinnest groove (0.016). */
const SLOPE_STEP = 0.004;

/** Height assumed outside the shell, so that the rim turns away and catches the light. */
const RIM_HEIGHT = -0.15;

/** Slope and openings of the mask at one point, the same on both sides of the nose. */
export type Surface = {
  readonly slopeOut: number;
  readonly slopeV: number;
  /** 0 in an opening, 1 on the shell. */
  readonly solid: number;
};

/** The surfaces of one row by distance from the nose; null outside the shell. */
export function surfacesAt(v: number): (side: number) => Surface | null {
  const [heights, above, below] = [
    heightsAt(v),
    heightsAt(v - SLOPE_STEP),
    heightsAt(v + SLOPE_STEP),
  ];
  const slope = (from: number, to: number) =>
    (Math.max(RIM_HEIGHT, to) - Math.max(RIM_HEIGHT, from)) / (2 * SLOPE_STEP);
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
 * Brightness at (u, v), 0 to 1: Lambert light from a key lamp at the upper left, a hard rim lamp at
 * the right and a faint fill lamp below. The face darkens toward the chin.
 */
export function lightOn({ slopeOut, slopeV, solid }: Surface, u: number, v: number): number {
  const slopeU = u < 0 ? -slopeOut : slopeOut;
  const length = Math.sqrt(slopeU * slopeU + slopeV * slopeV + 1);
  return Math.min(1, shine(-slopeU / length, -slopeV / length, 1 / length) * gain(solid, v));
}

/** The light of all lamps on a surface with this unit normal. */
export function shine(x: number, y: number, z: number): number {
  const facing = (lamp: Lamp) => Math.max(0, x * lamp[0] + y * lamp[1] + z * lamp[2]);
  return 0.58 * facing(KEY) ** 1.4 + 0.5 * facing(RIM) ** 2.2 + 0.1 * facing(FILL) + 0.05;
}

/** Share of the light that the surface reflects: less toward the chin, none in an opening. */
export function gain(solid: number, v: number): number {
  return (1 - 0.35 * smoothStep(0.3, 1.2, v)) * solid * 1.5;
}

/** Direction towards the lamp as a unit vector. */
type Lamp = readonly [x: number, y: number, z: number];

const KEY: Lamp = [-0.644, -0.601, 0.472];
const RIM: Lamp = [0.987, 0.104, 0.125];
const FILL: Lamp = [0, 0.874, 0.486];
