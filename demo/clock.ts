import { setTimeout as pause } from 'node:timers/promises';
import { HOUR_MS } from '../server/durations.ts';
import { moveClock } from '../test/support/moved-clock.ts';

const PATIENCE_MS = 180_000;
const POLL_MS = 20;
const NOON = 12;

/** Moves the clock of this process, its server and embedded database (docs/decisions/0112). */
export function goTo(agoMs: number): void {
  moveClock(-Math.round(agoMs));
}

/** A clock that goes on from tomorrow's noon by whole hours; each lasts at least `hourMs`. */
export function openHourClock(hourMs: number) {
  goTo(0);
  const noon = new Date();
  noon.setUTCHours(24 + NOON, 0, 0, 0);
  let now = noon.getTime();
  // The sweep of the offers would take an hour that durations lack for a leap of the clock.
  const measure = performance.now.bind(performance);
  let passedMs = 0;
  performance.now = () => measure() + passedMs;
  function set(): void {
    goTo(0);
    goTo(Date.now() - now);
  }
  set();
  return {
    now: () => now,
    time: () => new Date(now).toISOString().slice(11, 16),
    async passHour() {
      now += HOUR_MS;
      passedMs += HOUR_MS;
      set();
      await pause(hourMs);
    },
  };
}

/** Throws if it does not become so within three minutes. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`This does not happen: ${what}.`);
    await pause(POLL_MS);
  }
}
