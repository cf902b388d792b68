import { expect, test } from 'vitest';
import { createScanIds } from './scan-ids.ts';

test('a scan is sent again with its id until it has an answer, for the drop of the door', () => {
  const ids = createScanIds();
  const first = ids.scanOf('A', 1);
  ids.settle(first, { tone: 'unanswered' });
  ids.settle(ids.scanOf('B', 1), { tone: 'go' });
  expect(ids.scanOf('A', 2)).toEqual({ ...first, drop: 2 });
  ids.settle(first, { tone: 'go' });
  expect(ids.scanOf('A', 1).id).not.toBe(first.id);
});

test('an undo without an answer is sent again, before its pass is scanned anew', () => {
  const ids = createScanIds();
  const undo = { ...ids.scanOf('A', 1), isUndone: true };
  ids.settle(undo, { tone: 'unanswered' });
  expect(ids.scanOf('A', 1)).toEqual(undo);
  ids.settle(undo, { tone: 'stop' });
  expect(ids.scanOf('A', 1)).not.toHaveProperty('isUndone');
});
