/** The time by which windows are told apart: the database's, so that servers whose own clocks differ count in the same windows. */

export type LimitClock = {
  /** Milliseconds since 1970; never goes back. */
  now(): number;
  /** The database's time, as it was told between two moments of `performance.now()`. */
  hear(databaseMs: number, betweenMs: { asked: number; answered: number }): void;
};

/** A clock that is set while servers run would end windows early, or begin them again: it is followed slowly. */
const CORRECTION_MS = 100;

/** Before it has heard of the database it goes by this machine's clock. */
export function openLimitClock(): LimitClock {
  let offset: number | null = null;
  let latest = 0;
  const guess = Date.now() - performance.now();
  return {
    now() {
      latest = Math.max(latest, performance.now() + (offset ?? guess));
      return latest;
    },
    hear(databaseMs, { asked, answered }) {
      const heard = databaseMs - (asked + answered) / 2;
      const change = heard - (offset ?? heard);
      offset = offset === null ? heard : offset + Math.max(-CORRECTION_MS, Math.min(CORRECTION_MS, change));
    },
  };
}
