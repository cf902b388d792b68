import { expect, test } from 'vitest';
import { describeDigest } from './digest-rules.ts';

test('says in one paragraph what waits', () => {
  const since = new Date('2026-11-03T22:00:00Z');
  const waiting = { credits: 1_240, codes: 31, since, secondLooks: 2, lastAt: null };
  expect(describeDigest(waiting, null)).toEqual({
    subject: '1,240 friends wait to be checked',
    text:
      '1,240 friends wait to be checked, from 31 codes, the first since 3 November 2026 (UTC). ' +
      '2 members ask for a second look.',
  });
});

test('one of each is singular', () => {
  const since = new Date('2026-11-03T22:00:00Z');
  const one = { credits: 1, codes: 1, since, secondLooks: 1, lastAt: null };
  expect(describeDigest(one, null)?.text).toBe(
    '1 friend waits to be checked, from 1 code, the first since 3 November 2026 (UTC). ' +
      '1 member asks for a second look.',
  );
});

test('says nothing when nothing waits', () => {
  const nothing = { credits: 0, codes: 0, since: null, secondLooks: 0, lastAt: null };
  expect(describeDigest(nothing, null)).toBeNull();
});

test('says that mail stands still, and once that it stood still', () => {
  const nothing = { credits: 0, codes: 0, since: null, secondLooks: 0 };
  const since = new Date('2026-11-03T08:00:00Z');
  const until = new Date('2026-11-03T20:00:00Z');
  const stop = { since, until: null, refusedWith: '550 5.4.5' };
  const over = { ...stop, until };
  const digest = (lastAt: Date | null, one: typeof stop | typeof over) =>
    describeDigest({ ...nothing, lastAt }, one);
  expect(digest(until, stop)?.text).toMatch(/^Mail stands still since 3 November 2026 at 08:00/);
  expect(digest(since, over)).toEqual({
    subject: 'Mail stood still',
    text:
      'Mail stood still from 3 November 2026 at 08:00 to 3 November 2026 at 20:00 (UTC): the ' +
      'provider refused this sender (550 5.4.5).',
  });
  expect(digest(until, over)).toBeNull();
  const both = { credits: 1, codes: 1, since, secondLooks: 0, lastAt: null };
  expect(describeDigest(both, over)?.text).toMatch(/\(550 5\.4\.5\)\. 1 friend waits/);
});
