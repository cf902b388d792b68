const TIMER_LATENESS_MS = 10;
/** The least distance of mails that are behind their slots, in intervals. */
const CATCHING_UP = 0.9;

/** Late mails keep nearly the distance of the rate, never a burst. Times are ms of one clock. */
export function openPace(intervalMs: number) {
  let previousAt = Number.NEGATIVE_INFINITY;
  return {
    next: (dueAt: number) => Math.max(dueAt, previousAt + CATCHING_UP * intervalMs),
    left({ plannedAt, leftAt }: { plannedAt: number; leftAt: number }): void {
      previousAt = leftAt - plannedAt > TIMER_LATENESS_MS ? leftAt : plannedAt;
    },
  };
}
