import { expect, test } from 'vitest';
import { openFairQueue } from './fair-queue.ts';

type Queue = ReturnType<typeof openFairQueue<string>>;

/** Items are named by key and number. */
function fill(queue: Queue, key: string, count: number): (string | null)[] {
  return Array.from({ length: count }, (_, index) => queue.push(key, `${key}${index}`));
}

function empty(queue: Queue): string[] {
  const order: string[] = [];
  for (let item = queue.shift(); item !== null; item = queue.shift()) order.push(item);
  return order;
}

test('keys take slots, and each gets its items in order', () => {
  const queue = openFairQueue<string>(9);
  fill(queue, 'a', 4);
  fill(queue, 'b', 2);
  fill(queue, 'c', 1);
  expect(empty(queue)).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3']);
  expect(queue.shift()).toBeNull();
});

test('a key alone may fill the queue, and is then refused', () => {
  const queue = openFairQueue<string>(3);
  expect(fill(queue, 'a', 5)).toEqual([null, null, null, 'a3', 'a4']);
  expect(empty(queue)).toEqual(['a0', 'a1', 'a2']);
});

test('in a full queue the key with the most loses its newest item to a newcomer', () => {
  const queue = openFairQueue<string>(4);
  fill(queue, 'a', 4);
  expect(fill(queue, 'b', 3)).toEqual(['a3', 'a2', 'b2']);
  expect(queue.push('c', 'c0')).toBe('a1');
  expect(empty(queue)).toEqual(['a0', 'b0', 'c0', 'b1']);
});

test('a newcomer takes the last item of nobody', () => {
  const queue = openFairQueue<string>(2);
  fill(queue, 'a', 1);
  fill(queue, 'b', 1);
  expect(queue.push('c', 'c0')).toBe('c0');
});

test('a key that may not go is passed over and keeps its slot', () => {
  const queue = openFairQueue<string>(9);
  fill(queue, 'a', 2);
  fill(queue, 'b', 2);
  expect(queue.shift((key) => key !== 'a')).toBe('b0');
  expect(queue.shift(() => false)).toBeNull();
  expect(empty(queue)).toEqual(['a0', 'b1', 'a1']);
});

test('what is put first comes first of its key, also in a full queue', () => {
  const queue = openFairQueue<string>(3);
  fill(queue, 'a', 2);
  fill(queue, 'b', 1);
  queue.putFirst('a', 'begun');
  expect(queue.push('a', 'a2')).toBe('a2');
  expect(empty(queue)).toEqual(['begun', 'b0', 'a0', 'a1']);
});

test('what is taken out frees its places', () => {
  const queue = openFairQueue<string>(3);
  fill(queue, 'a', 2);
  fill(queue, 'b', 1);
  expect(queue.take((item) => item.endsWith('0'))).toEqual(['a0', 'b0']);
  expect(fill(queue, 'c', 2)).toEqual([null, null]);
  expect(empty(queue)).toEqual(['a1', 'c0', 'c1']);
});
