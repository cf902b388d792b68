/**
 * Members who referred each other in a circle: none of them can have been first. `referrers` has
 * for each row the index of its referrer, or -1. Returns the indexes of all rows in circles.
 */
export function findCircles(referrers: Int32Array): number[] {
  /** The walk in which each row was met; 0 is none. */
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
