/** When visitors come. Pure. */

export type Rush = {
  readonly people: number;
  readonly seconds: number;
  readonly rushSeconds: number;
  readonly rushShare: number;
};

/**
 * Moments in milliseconds, ascending: a share of all within the rush, the rest evenly after it. `random` answers numbers from 0 to 1:
 * visitors know nothing of each other, so now and then many come at once.
 */
export function drawArrivals({ people, seconds, rushSeconds, rushShare }: Rush, random: () => number): number[] {
  const inRush = Math.round(people * rushShare);
  const moments = Array.from({ length: people }, (_, index) =>
    index < inRush ? random() * rushSeconds : rushSeconds + random() * (seconds - rushSeconds),
  );
  return moments.map((moment) => moment * 1000).sort((a, b) => a - b);
}
