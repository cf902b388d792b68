/** The rows whose referrers lead back to them. */
export function findCircles<Row>(
  rows: readonly Row[],
  referrerOf: (row: Row) => Row | null,
): ReadonlySet<Row> {
  const metFrom = new Map<Row, Row>();
  const inCircles = new Set<Row>();
  for (const start of rows) {
    let row: Row | null = start;
    for (; row !== null && !metFrom.has(row); row = referrerOf(row)) metFrom.set(row, start);
    // The walk has met itself, and goes around once more.
    for (; row !== null && metFrom.get(row) === start && !inCircles.has(row); row = referrerOf(row))
      inCircles.add(row);
  }
  return inCircles;
}
