import { hash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Counter, openCounter } from './counter.ts';
import { JOINS_OF_IP, type LimitRule } from './limit-rules.ts';

const RULE: LimitRule = { ...JOINS_OF_IP, most: 60, sharedFrom: 6 };
const LENGTH_MS = RULE.seconds * 1000;
const keyOf = (name: string | number) => hash('sha256', String(name), 'binary');
const KEY = keyOf('somebody');

let now: number;
let counter: Counter;
beforeEach(() => {
  now = 1_000 * LENGTH_MS;
  counter = openCounter(RULE, () => now);
});

function add(key: string, times: number): void {
  for (let time = 0; time < times; time++) counter.add(key);
}

test('a key is counted in the window that is now, then in the one before, then no more', () => {
  add(KEY, 3);
  expect(counter.counts(KEY)).toEqual({ current: 3, previous: 0, passed: 0 });
  now += LENGTH_MS * 1.5;
  add(KEY, 1);
  expect(counter.counts(KEY)).toEqual({ current: 1, previous: 3, passed: 0.5 });
  now += LENGTH_MS * 2;
  expect(counter.counts(KEY)).toMatchObject({ current: 0, previous: 0 });
});

test('a million other keys make no key forgotten, neither an early nor a late one', { timeout: 60_000 }, () => {
  add(KEY, 5);
  for (let other = 0; other < 500_000; other++) counter.add(keyOf(other));
  const late = keyOf('late');
  add(late, 7);
  for (let other = 500_000; other < 1_000_000; other++) counter.add(keyOf(other));
  expect(counter.counts(KEY).current).toBe(5);
  expect(counter.counts(late).current).toBeGreaterThanOrEqual(7);
  add(late, 60);
  expect(counter.counts(late).current).toBeGreaterThanOrEqual(RULE.most);
  expect(counter.counts(keyOf('new')).current).toBeLessThan(10);
});

describe('what is given back', () => {
  test('is counted no more, and takes no room', () => {
    for (let other = 0; other < 50_000; other++) {
      counter.add(keyOf(other));
      counter.giveBack(keyOf(other));
    }
    add(KEY, 2);
    counter.giveBack(KEY);
    expect(counter.counts(KEY).current).toBe(1);
    expect(counter.counts(keyOf(3)).current).toBe(0);
  });

  test('while it is being settled is taken back at the next time', () => {
    add(KEY, 8);
    const [sent] = counter.unsettled();
    for (let time = 0; time < 8; time++) counter.giveBack(KEY);
    counter.settle(sent as never, 8);
    expect(counter.counts(KEY).current).toBe(0);
    expect(counter.unsettled()).toMatchObject([{ key: KEY, added: -8 }]);
  });
});

describe('what is settled', () => {
  test('is what is counted often, once', () => {
    add(KEY, 5);
    expect(counter.unsettled()).toEqual([]);
    add(KEY, 1);
    const sent = counter.unsettled();
    expect(sent).toEqual([{ key: KEY, beganAt: 1_000 * LENGTH_MS, added: 6 }]);
    counter.settle(sent[0] as never, 6);
    expect(counter.unsettled()).toEqual([]);
    add(KEY, 1);
    expect(counter.unsettled()).toMatchObject([{ added: 1 }]);
  });

  test('comes back with what other servers have counted', () => {
    add(KEY, 6);
    const [sent] = counter.unsettled();
    add(KEY, 2);
    counter.settle(sent as never, 40);
    expect(counter.counts(KEY).current).toBe(42);
    counter.learn({ key: KEY, beganAt: 1_000 * LENGTH_MS, total: 50 });
    expect(counter.counts(KEY).current).toBe(52);
  });

  test('of the window before still is when that is over', () => {
    add(KEY, 6);
    now += LENGTH_MS;
    expect(counter.unsettled()).toMatchObject([{ beganAt: 1_000 * LENGTH_MS, added: 6 }]);
  });

  test('is learned of keys that were never counted here, for the two windows that matter', () => {
    for (const [window, total] of [
      [1_000, 7],
      [999, 9],
      [998, 11],
      [1_001, 13],
    ] as const)
      counter.learn({ key: KEY, beganAt: window * LENGTH_MS, total });
    expect(counter.counts(KEY)).toMatchObject({ current: 7, previous: 9 });
  });
});
