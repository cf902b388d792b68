/** How the dots of a picture take up light and lose it again. */

/** A charge falls to 1/e of itself in this time. */
const DECAY_MS = 1100;

/** Less than this cannot be seen: the dot is dark, and need not be drawn. */
const DARK = 1 / 20;

/** Where the pointer went between two frames, and how far its light reaches; all in the dots' own units. */
export type Stroke = {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
  readonly reach: number;
};

/** What share of every charge is left after a while. */
export function shareLeft(elapsedMs: number): number {
  return Math.exp(-elapsedMs / DECAY_MS);
}

/** A charge (0 to 1) of which this share is left; 0 once it cannot be seen. */
export function decayCharge(charge: number, share: number): number {
  const left = charge * share;
  return left < DARK ? 0 : left;
}

/** The charge that a stroke gives to a dot: 1 where it passed, falling smoothly to 0 at its reach. */
export function chargeFromStroke({ fromX, fromY, toX, toY, reach }: Stroke, x: number, y: number): number {
  const dx = toX - fromX;
  const dy = toY - fromY;
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - fromX) * dx + (y - fromY) * dy) / length));
  const offX = x - fromX - along * dx;
  const offY = y - fromY - along * dy;
  const nearness = 1 - (offX * offX + offY * offY) / (reach * reach);
  return nearness <= 0 ? 0 : nearness * nearness;
}
