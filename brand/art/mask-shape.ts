/**
 * The mask as a height field over (u, v): u from ear to ear with 0 on the nose, v from the crown
 * (-1.2) to the chin (1.16). The shape is symmetric, so it is written in `side` = |u|.
 */

/** The part of the plane that the mask fills, with a margin for the outermost dots. */
export const MASK_BOUNDS = { left: -0.87, width: 1.74, top: -1.23, height: 2.42 };

/** One unit of v is drawn this much longer than one unit of u. */
export const V_STRETCH = 1.052;

/** The heights of one row by `side`: about 0 to 1.1, or -1 outside the shell. */
export function heightsAt(v: number): (side: number) => number {
  const halfWidth = shellHalfWidth(v);
  const middle = 0.8 + 0.2 * Math.cos(v * 1.05);
  const nose = 0.085 * smoothStep(-0.42, 0.1, v) * (1 - smoothStep(0.26, 0.42, v));
  const crownSeam = v < -0.48 ? 0.028 : 0;
  return (side) => {
    if (side >= halfWidth) return -1;
    const shell = (1 - (side / halfWidth) ** 2.4) ** 0.55 * middle;
    return shell + nose * bump(side, 0.075) - crownSeam * bump(side, 0.016) + relief(side, v);
  };
}

/** How open the mask is (eye, breathing slot): 0 is solid, 1 is a hole. */
export function opening(side: number, v: number): number {
  const { distance, along } = toSegment(side, v, EYE);
  const eyeRadius = 0.022 + 0.06 * Math.sin(Math.PI * Math.min(1, along * 0.8 + 0.12));
  const toSlot = Math.min(...BREATHING_SLOTS.map((slot) => toSegment(side, v, slot).distance));
  return (
    1 -
    Math.min(
      smoothStep(eyeRadius - 0.016, eyeRadius + 0.01, distance),
      smoothStep(0.016, 0.034, toSlot),
    )
  );
}

/** 0 below `from`, 1 above `to`, a smooth S-curve between them. */
export function smoothStep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

/** A straight stroke between two points. */
export type Segment = readonly [x1: number, y1: number, x2: number, y2: number];

/** The right eye's axis, from the nose outward. */
export const EYE: Segment = [0.175, -0.105, 0.6, -0.215];

/** Distance to the nearest point of a segment, and the share (0 to 1) of the way to that point. */
export function toSegment(
  x: number,
  y: number,
  [x1, y1, x2, y2]: Segment,
): { distance: number; along: number } {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
  const awayX = x - x1 - along * dx;
  const awayY = y - y1 - along * dy;
  // Not Math.hypot, which takes several times as long.
  return { distance: Math.sqrt(awayX * awayX + awayY * awayY), along };
}

/** Ridges stand out, grooves (below zero) are cut in. */
const RELIEF: readonly (readonly [height: number, width: number, segment: Segment])[] = [
  /* brow */ [0.075, 0.075, [0.06, -0.3, 0.74, -0.5]],
  /* cheekbone */ [0.055, 0.11, [0.3, 0.2, 0.7, -0.06]],
  /* chin */ [0.055, 0.09, [0, 0.95, 0.4, 0.8]],
  /* muzzle */ [0.045, 0.05, [0.3, 0.36, 0.24, 0.86]],
  /* cheek seam */ [-0.034, 0.024, [0.8, 0.02, 0.36, 0.42]],
  /* jaw seam */ [-0.034, 0.024, [0.36, 0.42, 0.44, 0.96]],
];

/** Four slots at the mouth, each shorter than the one above. */
const BREATHING_SLOTS: readonly Segment[] = [0, 1, 2, 3].map((row) => {
  const v = 0.46 + row * 0.105;
  return [0.05, v, 0.235 - row * 0.04, v - 0.035];
});

/** A superellipse that narrows along the jaw. */
export function shellHalfWidth(v: number): number {
  const t = (v + 1.2) / 2.36;
  if (t <= 0 || t >= 1) return 0;
  const envelope = Math.sqrt(1 - Math.abs(2 * t - 1) ** 2.7);
  const jaw =
    1 - 0.3 * smoothStep(0.4, 0.96, t) - 0.035 * bump(t - 0.6, 0.06) + 0.02 * bump(t - 0.8, 0.07);
  return 0.84 * envelope * jaw;
}

function relief(side: number, v: number): number {
  return RELIEF.reduce(
    (sum, [height, width, segment]) =>
      sum + height * bump(toSegment(side, v, segment).distance, width),
    0,
  );
}

/** A Gaussian of height 1: the profile of every ridge and groove. */
function bump(distance: number, width: number): number {
  return Math.exp(-(distance * distance) / (2 * width * width));
}
