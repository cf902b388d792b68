import { setTimeout as pause } from 'node:timers/promises';
import { goTo } from '../stage.ts';

const HOUR_MS = 3_600_000;

export type RehearsalClock = {
  /** What the server takes for now, in milliseconds. */
  now(): number;
  /** Moves on to the next full hour, and lets so much true time pass as one takes. */
  passHour(): Promise<void>;
};

/**
 * Stands at that hour of tomorrow, in UTC. Moves the clock of this process, and so that of the
 * server and the embedded database in it (docs/decisions/0112).
 */
export function openRehearsalClock({
  beginsAt,
  hourMs,
}: {
  beginsAt: number;
  /** Of true time, at least. */
  hourMs: number;
}): RehearsalClock {
  const trueBegin = Date.now();
  const measuredBegin = performance.now();
  const begin = new Date();
  begin.setUTCHours(24 + beginsAt, 0, 0, 0);
  let now = begin.getTime();
  const set = () => goTo(trueBegin + (performance.now() - measuredBegin) - now);
  set();
  return {
    now: () => now,
    async passHour() {
      now += HOUR_MS;
      set();
      await pause(hourMs);
    },
  };
}
