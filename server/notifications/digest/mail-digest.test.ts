import { expect, test } from 'vitest';
import { describeDigest } from './mail-digest.ts';

test('says that mail stands still, and once that it stood still', () => {
  const since = new Date('2026-11-03T08:00:00Z');
  const until = new Date('2026-11-03T20:00:00Z');
  const stop = { since, until: null, refusedWith: '550 5.4.5' };
  const over = { ...stop, until };
  expect(describeDigest(stop, until)?.text).toMatch(
    /^Mail stands still since 3 November 2026 at 08:00/,
  );
  expect(describeDigest(over, since)).toEqual({
    subject: 'Mail stood still',
    text:
      'Mail stood still from 3 November 2026 at 08:00 to 3 November 2026 at 20:00 (UTC): the ' +
      'provider refused this sender (550 5.4.5).',
  });
  expect(describeDigest(over, until)).toBeNull();
  expect(describeDigest(null, null)).toBeNull();
});
