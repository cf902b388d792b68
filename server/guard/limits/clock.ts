export type LimitClock = ReturnType<typeof openLimitClock>;

/** Follows slowly: a clock that is set must not end windows early or repeat them. */
const MAX_CORRECTION_MS = 100;

export function openLimitClock() {
  let offset: number | null = null;
  let latest = 0;
  const guess = Date.now() - performance.now();
  return {
    now(): number {
      latest = Math.max(latest, performance.now() + (offset ?? guess));
      return latest;
    },
    synchronize(databaseMs: number, { began, ended }: { began: number; ended: number }): void {
      const measured = databaseMs - (began + ended) / 2;
      const change = measured - (offset ?? measured);
      offset =
        offset === null
          ? measured
          : offset + Math.max(-MAX_CORRECTION_MS, Math.min(MAX_CORRECTION_MS, change));
    },
  };
}
