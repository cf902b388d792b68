const TIMER_LATENESS_MS = 10;
/** The least distance of mails that are behind their slots, in intervals. */
const CATCHING_UP = 0.9;

/**
 * Lets a mail leave at its slot. Mails that are late, for whatever reason, keep nearly the distance
 * of the rate: they catch up little by little, never in a burst. Times are in ms of one clock.
 */
export function openPace(intervalMs: number) {
  let previousAt = Number.NEGATIVE_INFINITY;
  return {
    /** When the next mail may leave, whose slot of the common rate is at `dueAt`. */
    next: (dueAt: number) => Math.max(dueAt, previousAt + CATCHING_UP * intervalMs),
    left({ plannedAt, leftAt }: { plannedAt: number; leftAt: number }): void {
      previousAt = leftAt - plannedAt > TIMER_LATENESS_MS ? leftAt : plannedAt;
    },
  };
}
