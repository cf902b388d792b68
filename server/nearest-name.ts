const MAX_MISTYPED = 0.4;

export function nearestName(name: string, candidates: readonly string[]): string | null {
  const judged = candidates
    .map((candidate) => ({
      candidate,
      edits: countEdits(name.toLowerCase(), candidate.toLowerCase()),
      maxEdits: Math.max(1, Math.floor(MAX_MISTYPED * Math.max(name.length, candidate.length))),
    }))
    .filter(({ edits, maxEdits }) => edits <= maxEdits)
    .sort((a, b) => a.edits - b.edits);
  return judged[0]?.candidate ?? null;
}

/** Counts insertions, deletions, substitutions and swaps (optimal string alignment). */
function countEdits(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        row > 1 && column > 1 && isSwap ? (before[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, last] = [last, next];
  }
  return last[to.length] ?? 0;
}
