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
    return (
      shell +
      nose * bump(side, 0.075) -
      crownSeam * bump(side, 0.016) +
      raisedParts(side, v) -
      grooves(side, v)
    );
  };
}

/** How open the mask is (eye, breathing slot): 0 is solid, 1 is a hole. */
export function opening(side: number, v: number): number {
  const { distance, along } = toSegment(side, v, EYE);
  const eyeRadius = 0.022 + 0.06 * Math.sin(Math.PI * Math.min(1, along * 0.8 + 0.12));
  let hole = 1 - smoothStep(eyeRadius - 0.016, eyeRadius + 0.01, distance);
  for (const slot of BREATHING_SLOTS) {
    hole = Math.max(hole, 1 - smoothStep(0.016, 0.034, toSegment(side, v, slot).distance));
  }
  return hole;
}

/** 0 below `from`, 1 above `to`, a smooth S-curve between them. */
export function smoothStep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

/** A straight stroke from (x1, y1) to (x2, y2). */
export type Segment = {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
};

/** The right eye's axis, from the nose outward. */
export const EYE: Segment = { x1: 0.175, y1: -0.105, x2: 0.6, y2: -0.215 };

/** Distance to the nearest point of a segment, and the share (0 to 1) of the way to that point. */
export function toSegment(
  x: number,
  y: number,
  { x1, y1, x2, y2 }: Segment,
): { distance: number; along: number } {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
  const awayX = x - x1 - along * dx;
  const awayY = y - y1 - along * dy;
  // Not Math.hypot, which takes several times as long.
  return { distance: Math.sqrt(awayX * awayX + awayY * awayY), along };
}

const BROW: Segment = { x1: 0.06, y1: -0.3, x2: 0.74, y2: -0.5 };
const CHEEKBONE: Segment = { x1: 0.3, y1: 0.2, x2: 0.7, y2: -0.06 };
const CHEEK_SEAM: Segment = { x1: 0.8, y1: 0.02, x2: 0.36, y2: 0.42 };
const JAW_SEAM: Segment = { x1: 0.36, y1: 0.42, x2: 0.44, y2: 0.96 };
const CHIN: Segment = { x1: 0, y1: 0.95, x2: 0.4, y2: 0.8 };
const MUZZLE: Segment = { x1: 0.3, y1: 0.36, x2: 0.24, y2: 0.86 };

/** Four slots at the mouth, each shorter than the one above. */
const BREATHING_SLOTS: readonly Segment[] = [0, 1, 2, 3].map((row) => {
  const v = 0.46 + row * 0.105;
  return { x1: 0.05, y1: v, x2: 0.235 - row * 0.04, y2: v - 0.035 };
});

/** A superellipse that narrows along the jaw. */
function shellHalfWidth(v: number): number {
  const t = (v + 1.2) / 2.36;
  if (t <= 0 || t >= 1) return 0;
  const envelope = Math.sqrt(1 - Math.abs(2 * t - 1) ** 2.7);
  const jaw =
    1 - 0.3 * smoothStep(0.4, 0.96, t) - 0.035 * bump(t - 0.6, 0.06) + 0.02 * bump(t - 0.8, 0.07);
  return 0.84 * envelope * jaw;
}

function raisedParts(side: number, v: number): number {
  return (
    0.075 * bump(toSegment(side, v, BROW).distance, 0.075) +
    0.055 * bump(toSegment(side, v, CHEEKBONE).distance, 0.11) +
    0.055 * bump(toSegment(side, v, CHIN).distance, 0.09) +
    0.045 * bump(toSegment(side, v, MUZZLE).distance, 0.05)
  );
}

function grooves(side: number, v: number): number {
  return (
    0.034 * bump(toSegment(side, v, CHEEK_SEAM).distance, 0.024) +
    0.034 * bump(toSegment(side, v, JAW_SEAM).distance, 0.024)
  );
}

/** A Gaussian of height 1: the profile of every ridge and groove. */
function bump(distance: number, width: number): number {
  return Math.exp(-(distance * distance) / (2 * width * width));
}
