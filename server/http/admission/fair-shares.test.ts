import { expect, test } from 'vitest';
import { MAX_PER_ADDRESS, MAX_WAITING_PER_ADDRESS, openFairShares } from './fair-shares.ts';

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
