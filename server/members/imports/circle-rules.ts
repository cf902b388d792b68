/** The rows whose referrers lead back to them. Indexes are ordinals less 1; -1 is no referrer. */
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
