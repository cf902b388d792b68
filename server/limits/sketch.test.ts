import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openSketch } from './sketch.ts';

const keyOf = (name: string | number) => hash('sha256', String(name), 'binary');

test('with far more keys than cells nothing is counted as less than it was', () => {
  const sketch = openSketch(1024, 1_000_000);
  const added = new Map<string, number>();
  for (let turn = 0; turn < 50_000; turn++) {
    const key = keyOf(turn % 7_919);
    sketch.add(key);
    added.set(key, (added.get(key) ?? 0) + 1);
  }
  expect([...added].filter(([key, count]) => sketch.count(key) < count)).toEqual([]);
});

test('with three keys for four cells, a key that was never counted is taken for three at most', () => {
  const cells = 2 ** 16;
  const sketch = openSketch(cells, 200);
  for (let key = 0; key < cells * 0.75; key++) sketch.add(keyOf(key));
  const counts = Array.from({ length: 20_000 }, (_, key) => sketch.count(keyOf(`new ${key}`)));
  expect(Math.max(...counts)).toBeLessThanOrEqual(3);
});

test('counting ends at the highest count, and does not begin anew', () => {
  const sketch = openSketch(1024, 200);
  for (let turn = 0; turn < 1_000; turn++) sketch.add(keyOf('one'));
  expect(sketch.count(keyOf('one'))).toBe(200);
});
