import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchOutages } from './outage-watch.ts';

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

let isAway = false;
let reports: string[] = [];
let watch: ReturnType<typeof watchOutages>;
beforeEach(() => {
  vi.useFakeTimers();
  isAway = false;
  reports = [];
  const ping = async () => {
    if (isAway) throw refused();
  };
  watch = watchOutages(ping, {
    onAway: (error) => reports.push(error instanceof Error ? error.message : String(error)),
    onBack: (seconds) => reports.push(`back after ${Math.round(seconds)} s`),
  });
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});

test('an outage is reported at its start and at its end, and not in between', async () => {
  isAway = true;
  for (let request = 0; request < 1_000; request += 1) watch.notice(refused());
  expect(reports).toEqual(['connect ECONNREFUSED']);
  await vi.advanceTimersByTimeAsync(30_500);
  watch.notice(refused());
  isAway = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reports).toEqual(['connect ECONNREFUSED', 'back after 31 s']);
  watch.notice(refused());
  expect(reports).toHaveLength(3);
});

test('a database that answers in between and fails again has one outage', async () => {
  for (let second = 0; second < 20; second += 1) {
    watch.notice(refused());
    await vi.advanceTimersByTimeAsync(2_000);
  }
  expect(reports).toEqual(['connect ECONNREFUSED']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reports).toEqual(['connect ECONNREFUSED', 'back after 39 s']);
});

test('an error of another kind is no outage', () => {
  watch.notice(Object.assign(new Error('duplicate key'), { code: '23505' }));
  watch.notice('nothing');
  expect(reports).toEqual([]);
});
