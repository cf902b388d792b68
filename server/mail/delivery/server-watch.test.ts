import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openServerWatch } from './server-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A mail server that answers, refuses or hangs, as `state` says when it is asked. */
function open(state: { now: 'there' | 'refuses' | 'hangs' }) {
  const told: boolean[] = [];
  const watch = openServerWatch({
    probe: () => {
      if (state.now === 'hangs') return new Promise(() => {});
      return state.now === 'there' ? Promise.resolve() : Promise.reject(new Error('refused'));
    },
    onThere: (wasAway) => told.push(wasAway),
  });
  return { watch, told };
}

test('nothing is asked of a server that nobody suspects', async () => {
  const { watch, told } = open({ now: 'there' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect([watch.isAway(), told]).toEqual([false, []]);
});

test('a suspected server that answers was not away', async () => {
  const { watch, told } = open({ now: 'there' });
  watch.suspect();
  expect(watch.isAway()).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  expect([watch.isAway(), told]).toEqual([false, [false]]);
});

test.each(['refuses', 'hangs'] as const)(
  'a server that %s is noticed within seconds of its return, once',
  async (now) => {
    const state: Parameters<typeof open>[0] = { now };
    const { watch, told } = open(state);
    watch.suspect();
    await vi.advanceTimersByTimeAsync(60_000);
    watch.suspect();
    expect([watch.isAway(), told]).toEqual([true, []]);
    state.now = 'there';
    await vi.advanceTimersByTimeAsync(2_000);
    expect([watch.isAway(), told]).toEqual([false, [true]]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toHaveLength(1);
  },
);

test('nothing is asked or told after it was stopped', async () => {
  const state: Parameters<typeof open>[0] = { now: 'refuses' };
  const { watch, told } = open(state);
  watch.suspect();
  watch.stop();
  state.now = 'there';
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual([]);
});
