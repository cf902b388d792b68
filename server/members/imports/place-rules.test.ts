import { expect, test } from 'vitest';
import { placeRows } from './place-rules.ts';

const places = (referrers: number[], times: number[]) =>
  placeRows(Int32Array.from(referrers), Float64Array.from(times)).map(
    (row) => row && [row.ordinal, row.place, row.friends, row.in_circle],
  );

test('rows join by time, then by the file, without those that are left out', () => {
  expect(places([-1, -1, -1, -1], [20, 10, Number.NaN, 10])).toEqual([
    [1, 3, 0, false],
    [2, 1, 0, false],
    null,
    [4, 2, 0, false],
  ]);
});

test('friends are counted, except in a circle', () => {
  expect(places([-1, 0, 0, 4, 3, 3], [0, 0, 0, 0, 0, 0])).toEqual([
    [1, 1, 2, false],
    [2, 2, 0, false],
    [3, 3, 0, false],
    [4, 4, 1, true],
    [5, 5, 0, true],
    [6, 6, 0, false],
  ]);
});
