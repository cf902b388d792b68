/** Keeps the mails of one server apart, whatever held them up. */

/** A timer's lateness does not add up. */
const TIMER_LATENESS_MS = 10;
/** The least distance of mails that are behind their slots, in intervals. */
const CATCHING_UP = 0.9;

export type Pace = {
  /** When the next mail may leave, whose slot of the common rate is at `dueAt`. */
  next(dueAt: number): number;
  /** The mail that was to leave at `plannedAt` has left. */
  left(mail: { plannedAt: number; leftAt: number }): void;
};

/**
 * A mail leaves at its slot. Mails that are late, because a query, a connection or the processor
 * was, keep nearly the distance of the rate: they catch up little by little, never in a burst. All
 * times are in milliseconds of one clock.
 */
export function openPace(intervalMs: number): Pace {
  let previousAt = Number.NEGATIVE_INFINITY;
  return {
    next: (dueAt) => Math.max(dueAt, previousAt + CATCHING_UP * intervalMs),
    left({ plannedAt, leftAt }) {
      previousAt = leftAt - plannedAt > TIMER_LATENESS_MS ? leftAt : plannedAt;
    },
  };
}
