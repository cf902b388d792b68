import { HOUR_MS } from './durations.ts';

const FIRST_DELAY_MS = 5_000;
export const MAX_DELAY_MS = HOUR_MS / 2;

/** From 5 s, doubled to half an hour, with a jitter of a quarter. `random` is from 0 to 1. */
export function retryDelayMs(failures: number, random: number): number {
  const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1));
  return Math.round(delayMs * (0.75 + random / 2));
}
