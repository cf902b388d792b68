import { describe, expect, test } from 'vitest';
import type { LineRule } from '../../../brand/brand-shape.ts';
import { keyFormula, type Standing, sortKey } from '../../../server/line/line-rules.ts';
import { shareReason } from './share-reason.ts';

const LAST = 90_000;
const keyOf = (name: LineRule['name'], standing: Standing) =>
  sortKey(keyFormula({ name }), standing);

const reasonOf = (name: LineRule['name'], friends: number, position = 432) =>
  shareReason({ name }, { position, referral_count: friends });

test('the reason names no number that is hidden', () => {
  for (const name of ['points', 'skip', 'fade'] as const)
    for (const friends of [0, 1, 12])
      expect(reasonOf(name, friends).join(' ')).not.toMatch(/\d|\b(two|ten|five|twenty|points?)\b/);
});

describe('what it says is what the line does', () => {
  test.each([
    [0, 'everyone who brought none'],
    [1, 'everyone who brought as many'],
    [12, 'everyone who brought as many'],
  ])('points: with %i friends, one more puts a member ahead of %s', (friends, whom) => {
    expect(reasonOf('points', friends)[0]).toContain(whom);
    const late = { sequence: LAST, credits: friends + 1, isInvited: false };
    const early = { sequence: 1, credits: friends, isInvited: true };
    expect(keyOf('points', late)).toBeLessThan(keyOf('points', early));
  });

  test('skip: each friend is the same step', () => {
    expect(reasonOf('skip', 3)[0]).toContain('by the same step');
    const keys = [0, 1, 2, 3].map((credits) =>
      keyOf('skip', { sequence: LAST, credits, isInvited: false }),
    );
    const steps = keys.slice(1).map((key, index) => (keys[index] ?? 0) - key);
    expect(new Set(steps).size).toBe(1);
    expect(steps[0]).toBeGreaterThan(0);
  });

  test('fade: the first friends move a member furthest', () => {
    expect(reasonOf('fade', 3)[0]).toContain('the first ones furthest');
    const keys = [0, 1, 10, 11].map((credits) =>
      keyOf('fade', { sequence: LAST, credits, isInvited: false }),
    );
    const [none = 0, one = 0, ten = 0, eleven = 0] = keys;
    expect(none - one).toBeGreaterThan(ten - eleven);
    expect(ten).toBeGreaterThan(eleven);
  });

  test.each(['points', 'skip', 'fade'] as const)('%s: the first moves further ahead', (name) => {
    expect(reasonOf(name, 3, 1)[0]).toBe('Every friend puts you further ahead of the second.');
    const keys = [3, 4].map((credits) => keyOf(name, { sequence: 1, credits, isInvited: false }));
    expect(keys[1]).toBeLessThan(keys[0] ?? 0);
  });

  test.each(['points', 'skip', 'fade'] as const)('%s: a friend starts ahead of others', (name) => {
    const friend = { sequence: LAST, credits: 0, isInvited: true };
    expect(reasonOf(name, 0)[1]).toBe('They start ahead of everyone without an invite.');
    expect(keyOf(name, friend)).toBeLessThan(keyOf(name, { ...friend, isInvited: false }));
  });
});
