/** The upper one of two values in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The smallest of the values above a share (0 to 1) of them; NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
