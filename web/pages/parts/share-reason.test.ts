import { describe, expect, test } from 'vitest';
import { sortKey } from '../../../server/line/line-rules.ts';
import { shareReason } from './share-reason.ts';

const LAST = 90_000;

const reasonOf = (friends: number, position = 432) =>
  shareReason({ position, referral_count: friends });

test('the reason names no number that is hidden', () => {
  for (const friends of [0, 1, 12])
    expect(reasonOf(friends).join(' ')).not.toMatch(/\d|\b(two|ten|five|twenty|points?)\b/);
});

describe('what it says is what the line does', () => {
  test.each([
    [0, 'everyone who brought none'],
    [1, 'everyone who brought as many'],
    [12, 'everyone who brought as many'],
  ])('with %i friends, one more puts a member ahead of %s', (friends, whom) => {
    expect(reasonOf(friends)[0]).toContain(whom);
    const late = { sequence: LAST, credits: friends + 1, isInvited: false };
    const early = { sequence: 1, credits: friends, isInvited: true };
    expect(sortKey(late)).toBeLessThan(sortKey(early));
  });

  test('the first moves further ahead', () => {
    expect(reasonOf(3, 1)[0]).toBe('Every friend puts you further ahead of the second.');
    const [three = 0, four = 0] = [3, 4].map((credits) =>
      sortKey({ sequence: 1, credits, isInvited: false }),
    );
    expect(four).toBeLessThan(three);
  });

  test('a friend starts ahead of others', () => {
    const friend = { sequence: LAST, credits: 0, isInvited: true };
    expect(reasonOf(0)[1]).toBe('They start ahead of everyone without an invite.');
    expect(sortKey(friend)).toBeLessThan(sortKey({ ...friend, isInvited: false }));
  });
});
