import { HOUR_MS } from '../durations.ts';

/** An event is given up when it fails this long after its first attempt. */
export const GIVE_UP_AFTER_MS = 24 * HOUR_MS;
/** An endpoint without any success for this long is switched off. */
export const OFF_AFTER_MS = 72 * HOUR_MS;
export const DOWN_AFTER_FAILURES = 5;

const FIRST_DELAY_MS = 5_000;
export const MAX_DELAY_MS = HOUR_MS / 2;
/** Shorter than a delay: events wait that were never tried. */
const MAX_PAUSE_MS = HOUR_MS / 12;

/** From 5 s, doubled to half an hour, with a jitter of a quarter. `random` is from 0 to 1. */
export function retryDelayMs(failures: number, random: number): number {
  const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1));
  return Math.round(delayMs * (0.75 + random / 2));
}

/** The pause of an endpoint after its last failure; null while it does not count as down. */
export function pauseMs(failures: number, random: number): number | null {
  if (failures < DOWN_AFTER_FAILURES) return null;
  return Math.min(MAX_PAUSE_MS, retryDelayMs(failures - DOWN_AFTER_FAILURES + 1, random));
}
