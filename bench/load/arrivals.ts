/** When visitors come. Pure. */

export type Rush = {
  readonly people: number;
  readonly seconds: number;
  /** How long the rush at the opening lasts, and the share of visitors in it. */
  readonly rushSeconds: number;
  readonly rushShare: number;
};

/**
 * Moments in milliseconds, ascending: a share within the rush, the rest evenly after it. `random`
 * returns numbers from 0 to 1. Visitors know nothing of each other, so at times many come at once.
 */
export function drawArrivals(
  { people, seconds, rushSeconds, rushShare }: Rush,
  random: () => number,
): number[] {
  const inRush = Math.round(people * rushShare);
  const moments = Array.from({ length: people }, (_, index) =>
    index < inRush ? random() * rushSeconds : rushSeconds + random() * (seconds - rushSeconds),
  );
  return moments.map((moment) => moment * 1000).sort((a, b) => a - b);
}
