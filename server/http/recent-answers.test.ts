import { expect, test } from 'vitest';
import { keepAnswers } from './recent-answers.ts';

test('an answer is given again until it is old, to all that ask meanwhile', async () => {
  let now = 0;
  let asked = 0;
  const keep = keepAnswers<number>({ forMs: 10, maxKeys: 2 }, () => now);
  const ask = async () => {
    asked += 1;
    return asked;
  };
  expect(await Promise.all([keep('a', ask), keep('a', ask), keep('b', ask)])).toEqual([1, 1, 2]);
  now = 9;
  expect(await keep('a', ask)).toBe(1);
  now = 10;
  expect(await keep('a', ask)).toBe(3);
  // The third key takes the room of the oldest, b.
  expect(await keep('c', ask)).toBe(4);
  expect([await keep('a', ask), await keep('b', ask)]).toEqual([3, 5]);
});

test('a failure is not cached', async () => {
  const keep = keepAnswers<number>({ forMs: 10, maxKeys: 2 }, () => 0);
  await expect(keep('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await keep('a', async () => 1)).toBe(1);
});
