import { expect, test } from 'vitest';
import { MAX_PER_WINDOW, openRequestWindow } from './request-window.ts';

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
