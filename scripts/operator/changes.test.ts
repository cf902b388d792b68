import { expect, test } from 'vitest';
import { UsageError } from '../command-line/values.ts';
import { readTime } from './changes.ts';

test.each([
  ['2026-05-01T18:00+02:00', '2026-05-01T16:00:00.000Z'],
  ['2027-02-28', '2027-02-28T00:00:00.000Z'],
  ['2026-05-01T18:00', new Date(2026, 4, 1, 18).toISOString()],
])('%s is a time, without a zone in that of this machine', (text, time) => {
  expect(readTime(text, 'when')).toBe(time);
});

test.each(['01.05.2027', 'launch 2027', '2027', '2027-04-31T10:00', '2027-02-29', ''])(
  '%j is refused, and not read as another day',
  (text) => {
    expect(() => readTime(text, 'when')).toThrow(
      new UsageError('--when needs a time, such as 2026-05-01T18:00+02:00.'),
    );
  },
);
