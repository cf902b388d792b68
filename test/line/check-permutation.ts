/** Whether the positions are exactly 1..N, as sentences about those that are not. */
export function findGaps(positions: readonly number[]): string[] {
  const held = new Set(positions);
  const missing = positions.map((_, index) => index + 1).filter((position) => !held.has(position));
  return missing.map((position) => `Nobody is at ${position} of ${positions.length}.`);
}
