/** The clock of rate windows follows the database's, so that all servers share windows. */

export type LimitClock = {
  /** Milliseconds since 1970; monotonic. */
  now(): number;
  /** Takes the database's time, read between two moments of `performance.now()`. */
  synchronize(databaseMs: number, between: { began: number; ended: number }): void;
};

/** Follows slowly: a clock that is set must not end windows early or repeat them. */
const MAX_CORRECTION_MS = 100;

export function openLimitClock(): LimitClock {
  let offset: number | null = null;
  let latest = 0;
  const guess = Date.now() - performance.now();
  return {
    now() {
      latest = Math.max(latest, performance.now() + (offset ?? guess));
      return latest;
    },
    synchronize(databaseMs, { began, ended }) {
      const measured = databaseMs - (began + ended) / 2;
      const change = measured - (offset ?? measured);
      offset =
        offset === null
          ? measured
          : offset + Math.max(-MAX_CORRECTION_MS, Math.min(MAX_CORRECTION_MS, change));
    },
  };
}
