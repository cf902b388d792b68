export type PlacedRow = {
  readonly ordinal: number;
  readonly place: number;
  readonly friends: number;
  /** Whether its referrers form a circle: then it joins without one. */
  readonly in_circle: boolean;
};

/** Indexes are ordinals less 1; `referrers` has -1 for none. A time of NaN leaves a row out. */
export function placeRows(
  referrers: Int32Array,
  times: Float64Array,
  withheld: ReadonlySet<number> = new Set(),
): (PlacedRow | null)[] {
  const circles = new Set(findCircles(referrers));
  const friends = new Int32Array(referrers.length);
  for (const [row, referrer] of referrers.entries())
    if (referrer >= 0 && !circles.has(row) && !withheld.has(row))
      friends[referrer] = (friends[referrer] ?? 0) + 1;
  const timeOf = (row: number) => times[row] ?? 0;
  const joining = [...times.keys()]
    .filter((row) => !Number.isNaN(times[row]))
    .sort((one, other) => timeOf(one) - timeOf(other) || one - other);
  const placed = new Array<PlacedRow | null>(times.length).fill(null);
  for (const [index, row] of joining.entries())
    placed[row] = {
      ordinal: row + 1,
      place: index + 1,
      friends: friends[row] ?? 0,
      in_circle: circles.has(row),
    };
  return placed;
}

export function findCircles(referrers: Int32Array): number[] {
  const metIn = new Int32Array(referrers.length);
  const inCircles: number[] = [];
  for (let start = 0; start < referrers.length; start += 1) {
    const walk = start + 1;
    let row = start;
    while (row >= 0 && metIn[row] === 0) {
      metIn[row] = walk;
      row = referrers[row] ?? -1;
    }
    if (row < 0 || metIn[row] !== walk) continue;
    let member = row;
    do {
      inCircles.push(member);
      member = referrers[member] ?? -1;
    } while (member !== row);
  }
  return inCircles;
}
