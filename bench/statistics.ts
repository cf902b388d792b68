/** Pure arithmetic of measurements. */

/** Of an odd number of values the one in the middle, of an even number the upper of the two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The value below which `share` (0 to 1) of the ascending values lie: always one of them. NaN of none. */
export function percentile(ascending: ArrayLike<number>, share: number): number {
  const index = Math.min(ascending.length - 1, Math.floor(ascending.length * share));
  return ascending[index] ?? Number.NaN;
}
