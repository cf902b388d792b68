import { expect, test } from 'vitest';
import {
  MAX_PER_ADDRESS,
  MAX_PER_WINDOW,
  MAX_WAITING_PER_ADDRESS,
  openFairShares,
  openRequestWindow,
} from './fair-shares.ts';

const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);

test('requests beyond a share wait, and begin in order as earlier ones leave', () => {
  const shares = openFairShares<number>();
  const begun = range(0, MAX_PER_ADDRESS);
  const waiting = range(MAX_PER_ADDRESS, MAX_WAITING_PER_ADDRESS);
  for (const item of begun) expect(shares.enter('a', item)).toBe('begins');
  for (const item of waiting) expect(shares.enter('a', item)).toBe('waits');
  expect(shares.enter('a', -1)).toBe('refused');
  expect(shares.enter('b', -1)).toBe('begins');

  // One that hangs up while it waits loses its turn, and takes nobody else's.
  const [first = 0, second = 0, third = 0] = waiting;
  expect(shares.leave('a', second)).toBeNull();
  expect(shares.leave('a', 0)).toBe(first);
  expect(shares.leave('a', 1)).toBe(third);
});

test('an address whose requests are all over starts anew', () => {
  const shares = openFairShares<number>();
  for (let round = 0; round < 3; round++) {
    const items = range(0, MAX_PER_ADDRESS + 5);
    const begun = items.filter((item) => shares.enter('a', item) === 'begins');
    expect(begun).toHaveLength(MAX_PER_ADDRESS);
    const later = begun.map((item) => shares.leave('a', item)).filter((item) => item !== null);
    expect(later).toEqual(items.slice(MAX_PER_ADDRESS));
    for (const item of later) expect(shares.leave('a', item)).toBeNull();
  }
});

function openAt(startMs: number) {
  let now = startMs;
  const { count } = openRequestWindow(() => now);
  return {
    count,
    pass: (ms: number) => {
      now += ms;
    },
    fill: (key: string) => {
      for (let times = 0; times < MAX_PER_WINDOW; times++) expect(count(key)).toBe(0);
    },
  };
}

test('an address beyond the limit waits for the next window, and no other address does', () => {
  const window = openAt(123_000);
  window.fill('a');
  expect(window.count('a')).toBe(7);
  expect(window.count('b')).toBe(0);
  window.pass(6_500);
  expect(window.count('a')).toBe(1);
  window.pass(500);
  expect(window.count('a')).toBe(0);
});

test('an office of 200 that opens the site, joins and sees its positions at once fits', () => {
  const connections = 200 * 6;
  const requests = 200 * (15 + 1 + 10);
  expect(connections + requests).toBeLessThan(MAX_PER_WINDOW);
});
