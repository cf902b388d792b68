import { HOUR_MS } from '../durations.ts';
import { retryDelayMs } from '../retry-delay-rules.ts';

/** An event is given up when it fails this long after its first attempt. */
export const GIVE_UP_AFTER_MS = 24 * HOUR_MS;
/** An endpoint without any success for this long is switched off. */
export const OFF_AFTER_MS = 72 * HOUR_MS;
export const DOWN_AFTER_FAILURES = 5;

/** Shorter than a delay: events wait that were never tried. */
const MAX_PAUSE_MS = HOUR_MS / 12;

/** The pause of an endpoint after its last failure; null while it does not count as down. */
export function pauseMs(failures: number, random: number): number | null {
  if (failures < DOWN_AFTER_FAILURES) return null;
  return Math.min(MAX_PAUSE_MS, retryDelayMs(failures - DOWN_AFTER_FAILURES + 1, random));
}
