import { expect, test } from 'vitest';
import { describeWaiting } from './digest-rules.ts';

test('says in one paragraph what waits', () => {
  const since = new Date('2026-11-03T22:00:00Z');
  const waiting = { credits: 1_240, codes: 31, since, secondLooks: 2 };
  expect(describeWaiting(waiting)).toEqual({
    subject: '1,240 friends wait to be checked',
    text:
      '1,240 friends wait to be checked, from 31 codes, the first since 3 November 2026 (UTC). ' +
      '2 members ask for a second look.',
  });
});

test('one of each is singular', () => {
  const since = new Date('2026-11-03T22:00:00Z');
  const one = { credits: 1, codes: 1, since, secondLooks: 1 };
  expect(describeWaiting(one)?.text).toBe(
    '1 friend waits to be checked, from 1 code, the first since 3 November 2026 (UTC). ' +
      '1 member asks for a second look.',
  );
});

test('says nothing when nothing waits', () => {
  const nothing = { credits: 0, codes: 0, since: null, secondLooks: 0 };
  expect(describeWaiting(nothing)).toBeNull();
});
