/** When a failed delivery is tried again, and when an endpoint is left alone. */

const HOUR_MS = 3_600_000;

/** An event is given up when it fails so long after its first attempt. */
export const GIVE_UP_AFTER_MS = 24 * HOUR_MS;
/** An endpoint without any success for so long is switched off. */
export const OFF_AFTER_MS = 72 * HOUR_MS;
/** After so many failures without a success, only one event is tried at a time. */
export const DOWN_AFTER_FAILURES = 5;

const FIRST_DELAY_MS = 5_000;
export const MAX_DELAY_MS = HOUR_MS / 2;
/** Shorter: events wait that were never tried, and a receiver that is back should notice. */
const MAX_PAUSE_MS = HOUR_MS / 12;
/** Doubling ends long before, at the longest delay. */
const MAX_DOUBLINGS = 20;

/**
 * Milliseconds until the next attempt after `failures` failed ones: doubled each time from 5 s to
 * half an hour, times 0.75 to 1.25, so that deliveries that failed together come apart. `random` is
 * from 0 to 1.
 */
export function retryDelayMs(failures: number, random: number): number {
  const doublings = Math.min(MAX_DOUBLINGS, Math.max(0, failures - 1));
  const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** doublings);
  return Math.round(delayMs * (0.75 + random / 2));
}

/** The pause of an endpoint after its last failure; null while it is not taken for down. */
export function pauseMs(failures: number, random: number): number | null {
  if (failures < DOWN_AFTER_FAILURES) return null;
  return Math.min(MAX_PAUSE_MS, retryDelayMs(failures - DOWN_AFTER_FAILURES + 1, random));
}
