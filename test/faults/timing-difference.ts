/** How well the duration of an answer distinguishes two kinds of answers. */

export type TimingDifference = {
  readonly medians: readonly [number, number];
  /** 90th percentiles. */
  readonly p90s: readonly [number, number];
  /**
   * Mann-Whitney: the share of pairs in which the first kind is slower; 0.5 without a difference.
   */
  readonly slower: number;
  /**
   * The share of answers that the best threshold classifies correctly; 0.5 without a difference.
   */
  readonly bestGuess: number;
};

export function compareTimings(one: readonly number[], other: readonly number[]): TimingDifference {
  const all = [
    ...one.map((ms) => ({ ms, isOne: true })),
    ...other.map((ms) => ({ ms, isOne: false })),
  ].sort((a, b) => a.ms - b.ms);
  let othersBelow = 0;
  let onesBelow = 0;
  let pairs = 0;
  let best = 0;
  for (const { isOne } of all) {
    if (isOne) {
      pairs += othersBelow;
      onesBelow += 1;
    } else othersBelow += 1;
    best = Math.max(best, Math.abs(onesBelow / one.length - othersBelow / other.length));
  }
  return {
    medians: [quantile(one, 0.5), quantile(other, 0.5)],
    p90s: [quantile(one, 0.9), quantile(other, 0.9)],
    slower: pairs / (one.length * other.length),
    bestGuess: 0.5 + best / 2,
  };
}

function quantile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
}
