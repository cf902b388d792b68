import { expect, test } from 'vitest';
import { median, percentile } from './statistics.ts';

test('the median is the middle value in any order, and leaves the values unsorted', () => {
  const values = [9, 1, 5];
  expect(median(values)).toBe(5);
  expect(values).toEqual([9, 1, 5]);
});

test('the median of an even number of values is the upper of the two in the middle', () => {
  expect(median([4, 1, 2, 3])).toBe(3);
});

test('of a hundred values the 99th percentile is the last', () => {
  const values = Array.from({ length: 100 }, (_, index) => index + 1);
  expect(percentile(values, 0.99)).toBe(100);
  expect(percentile(values, 0.5)).toBe(51);
  expect(percentile(values, 1)).toBe(100);
});

test('of no values there is no percentile', () => {
  expect(percentile([], 0.5)).toBeNaN();
});
