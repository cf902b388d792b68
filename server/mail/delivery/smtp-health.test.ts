import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSmtpHealth } from './smtp-health.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A mail server that behaves as `state` says when it is probed. */
function open(state: { now: 'answers' | 'refuses' | 'hangs' }) {
  const reports: boolean[] = [];
  let failures = 0;
  const health = openSmtpHealth({
    probe: () => {
      if (state.now === 'hangs') return new Promise(() => {});
      return state.now === 'answers' ? Promise.resolve() : Promise.reject(new Error('refused'));
    },
    onUp: (wasDown) => reports.push(wasDown),
    onDown: () => {
      failures += 1;
    },
  });
  return { health, reports, failures: () => failures };
}

test('a server is not probed until it is suspected', async () => {
  const { health, reports } = open({ now: 'answers' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect([health.isDown(), reports]).toEqual([false, []]);
});

test('a suspected server that answers the first probe was not down', async () => {
  const { health, reports } = open({ now: 'answers' });
  health.suspect();
  expect(health.isDown()).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  expect([health.isDown(), reports]).toEqual([false, [false]]);
});

test.each(['refuses', 'hangs'] as const)(
  'a server that %s is found up within seconds of its return, and reported once',
  async (now) => {
    const state: Parameters<typeof open>[0] = { now };
    const { health, reports } = open(state);
    health.suspect();
    await vi.advanceTimersByTimeAsync(60_000);
    health.suspect();
    expect([health.isDown(), reports]).toEqual([true, []]);
    state.now = 'answers';
    await vi.advanceTimersByTimeAsync(2_000);
    expect([health.isDown(), reports]).toEqual([false, [true]]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reports).toHaveLength(1);
  },
);

test('after stop nothing is reported', async () => {
  const state: Parameters<typeof open>[0] = { now: 'refuses' };
  const { health, reports } = open(state);
  health.suspect();
  health.stop();
  state.now = 'answers';
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reports).toEqual([]);
});
