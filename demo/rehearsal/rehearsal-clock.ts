import { setTimeout as pause } from 'node:timers/promises';
import { HOUR_MS } from '../../server/durations.ts';
import { goTo } from '../stage.ts';

/** Moves the clock of this process, its server and embedded database (docs/decisions/0112). */
export function openRehearsalClock({ beginsAt, hourMs }: { beginsAt: number; hourMs: number }) {
  const trueBegin = Date.now();
  const begin = new Date();
  begin.setUTCHours(24 + beginsAt, 0, 0, 0);
  let now = begin.getTime();
  // The sweep of the offers would take an hour that durations lack for a leap of the clock.
  const measure = performance.now.bind(performance);
  let passedMs = 0;
  performance.now = () => measure() + passedMs;
  const measuredBegin = measure();
  const set = () => goTo(trueBegin + (measure() - measuredBegin) - now);
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
