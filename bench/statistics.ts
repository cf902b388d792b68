/** Pure arithmetic of measurements. */

/** The middle one of an odd number of values, the upper middle one of an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The one of ascending values below which `share` (0 to 1) of them lie. NaN of none. */
export function percentile(ascending: readonly number[], share: number): number {
  const index = Math.min(ascending.length - 1, Math.floor(ascending.length * share));
  return ascending[index] ?? Number.NaN;
}
