/** A member whose sort key changes. Null: not in line before, or not any more. */
export type KeyChange = { readonly from: number | null; readonly to: number | null };

/** Between two of these keys all members move alike, so nobody else is looked at. */
export function countMoves(
  changes: readonly KeyChange[],
  { total, positionAt }: { total: number; positionAt: ReadonlyMap<number, number> },
): number {
  const left = keysOf(changes, 'from');
  const taken = keysOf(changes, 'to');
  const keys = [...new Set([...left, ...taken])].sort((a, b) => a - b);
  const wasTaken = new Set(left);
  const isTaken = new Set(taken);
  const positionOf = (key: number) => positionAt.get(key) ?? Number.NaN;
  const newPositions = new Map<number, number>();
  let shift = 0;
  let moved = 0;
  for (const [index, key] of keys.entries()) {
    newPositions.set(key, positionOf(key) + shift);
    shift += Number(isTaken.has(key)) - Number(wasTaken.has(key));
    const next = keys[index + 1];
    const end = next === undefined ? total + 1 : positionOf(next);
    if (shift !== 0) moved += end - positionOf(key) - Number(wasTaken.has(key));
  }
  for (const { from, to } of changes)
    if (from !== null && to !== null && newPositions.get(to) !== positionOf(from)) moved += 1;
  return moved;
}

function keysOf(changes: readonly KeyChange[], side: 'from' | 'to'): number[] {
  return changes.flatMap((change) => change[side] ?? []);
}
