import { hash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { isAll } from '../../../test/support/test-form.ts';
import { JOINS_PER_IP, type LimitRule, secondsUntilAllowed } from './limit-rules.ts';
import { type KeyCount, openRateWindow, type RateWindow } from './rate-window.ts';

const FLOOD = isAll ? 1_000_000 : 20_000;
const { maxKeys: SHIPPED_KEYS } = JOINS_PER_IP;
const maxKeys = isAll ? SHIPPED_KEYS : FLOOD / 10;
const RULE: LimitRule = { ...JOINS_PER_IP, max: 60, sharedFrom: 6, maxKeys };
const LENGTH_MS = RULE.seconds * 1000;
const keyOf = (name: string | number) => hash('sha256', String(name), 'base64url');
const KEY = keyOf('somebody');

let now: number;
let window: RateWindow;
beforeEach(() => {
  now = 1_000 * LENGTH_MS;
  window = openRateWindow(RULE, () => now);
});

function add(key: string, times: number): void {
  for (let time = 0; time < times; time++) window.add(key);
}
const take = () => [...window.take()];
const [CURRENT, PREVIOUS] = [1_000 * LENGTH_MS, 999 * LENGTH_MS];

test('a key counts in the current window, then in the previous one, then no more', () => {
  add(KEY, 3);
  expect(window.counts(KEY)).toEqual({ current: 3, previous: 0, passed: 0 });
  now += LENGTH_MS * 1.5;
  add(KEY, 1);
  expect(window.counts(KEY)).toEqual({ current: 1, previous: 3, passed: 0.5 });
  now += LENGTH_MS * 2;
  expect(window.counts(KEY)).toMatchObject({ current: 0, previous: 0 });
});

describe('a flood of other keys', () => {
  const isRefused = (key: string) => secondsUntilAllowed(RULE, window.counts(key)) !== null;

  function flood(keys: number): void {
    for (let other = 0; other < keys; other++) window.add(keyOf(other));
  }

  test(`resets no key, refused or not, with ${FLOOD} of them`, { timeout: 60_000 }, () => {
    add(KEY, RULE.max);
    const half = keyOf('half');
    add(half, 30);
    flood(FLOOD);
    expect(isRefused(KEY)).toBe(true);
    expect(window.counts(half).current).toBe(30);
    add(half, 30);
    expect(isRefused(half)).toBe(true);
    now += LENGTH_MS;
    flood(RULE.maxKeys + 1);
    expect(isRefused(KEY)).toBe(true);
  });

  test('leaves no space for a new key until the next window', () => {
    window = openRateWindow({ ...RULE, maxKeys: 1_000 }, () => now);
    flood(2_000);
    const late = keyOf('late');
    expect([window.hasSpaceFor(late), window.hasSpaceFor(keyOf(0))]).toEqual([false, true]);
    add(late, 1);
    window.learn({ key: late, beganAt: CURRENT, count: 9 });
    expect(window.counts(late).current).toBe(0);
    now += LENGTH_MS;
    expect(window.hasSpaceFor(late)).toBe(true);
  });
});

test('a launch of 100,000 addresses leaves space', () => {
  window = openRateWindow({ ...RULE, maxKeys: SHIPPED_KEYS }, () => now);
  for (let visitor = 0; visitor < 100_000; visitor++) window.add(keyOf(visitor));
  expect(window.hasSpaceFor(keyOf('one more'))).toBe(true);
});

describe('a refund', () => {
  test('is no longer counted, and takes no space', () => {
    const small = openRateWindow({ ...RULE, maxKeys: 10 }, () => now);
    for (let other = 0; other < 50; other++) {
      small.add(keyOf(other));
      small.refund(keyOf(other));
    }
    expect(small.hasSpaceFor(KEY)).toBe(true);
    add(KEY, 2);
    window.refund(KEY);
    window.refund(keyOf('unknown'));
    expect(window.counts(KEY).current).toBe(1);
  });

  test('of what was taken is taken later', () => {
    add(KEY, 8);
    take();
    for (let time = 0; time < 8; time++) window.refund(KEY);
    window.learn({ key: KEY, beganAt: CURRENT, count: 8 });
    expect(window.counts(KEY).current).toBe(0);
    expect(take()).toEqual([{ key: KEY, beganAt: CURRENT, count: -8 }]);
  });
});

describe('counts for other servers', () => {
  test('are taken once, and only of keys that are counted often', () => {
    add(KEY, 5);
    expect(take()).toEqual([]);
    add(KEY, 1);
    expect(take()).toEqual([{ key: KEY, beganAt: CURRENT, count: 6 }]);
    expect(take()).toEqual([]);
    add(KEY, 1);
    expect(take()).toMatchObject([{ count: 1 }]);
  });

  test('come back as the total of all servers', () => {
    add(KEY, 6);
    take();
    add(KEY, 2);
    window.learn({ key: KEY, beganAt: CURRENT, count: 40 });
    expect(window.counts(KEY).current).toBe(42);
    window.learn({ key: KEY, beganAt: CURRENT, count: 50 });
    expect(window.counts(KEY).current).toBe(52);
  });

  test('that did not reach them are taken again, with what came since', () => {
    add(KEY, 6);
    const [taken] = take();
    add(KEY, 2);
    window.putBack(taken as KeyCount);
    expect(window.counts(KEY).current).toBe(8);
    expect(take()).toEqual([{ key: KEY, beganAt: CURRENT, count: 8 }]);
  });

  test('of the previous window are still taken', () => {
    add(KEY, 6);
    now += LENGTH_MS;
    expect(take()).toMatchObject([{ beganAt: CURRENT, count: 6 }]);
  });

  test('are learned, for the current and the previous window', () => {
    for (const [beganAt, count] of [
      [CURRENT, 7],
      [PREVIOUS, 9],
      [PREVIOUS - LENGTH_MS, 11],
      [CURRENT + LENGTH_MS, 13],
    ] as const)
      window.learn({ key: KEY, beganAt, count });
    expect(window.counts(KEY)).toMatchObject({ current: 7, previous: 9 });
  });
});
