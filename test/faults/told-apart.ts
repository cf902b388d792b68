/** How well two kinds of answers can be told apart by the time that they take. */

export type ToldApart = {
  readonly medians: readonly [number, number];
  /** Nine of ten take no longer. */
  readonly nineTenths: readonly [number, number];
  /** Mann and Whitney: of all pairs of one and another, those in which the one takes longer; half of them, when time says nothing. */
  readonly slower: number;
  /** Of all answers, those that the best single bound between quick and slow guesses right. */
  readonly bestGuess: number;
};

export function toldApart(one: readonly number[], other: readonly number[]): ToldApart {
  const all = [...one.map((ms) => ({ ms, isOne: true })), ...other.map((ms) => ({ ms, isOne: false }))].sort(
    (a, b) => a.ms - b.ms,
  );
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
    nineTenths: [quantile(one, 0.9), quantile(other, 0.9)],
    slower: pairs / (one.length * other.length),
    bestGuess: 0.5 + best / 2,
  };
}

function quantile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
}
