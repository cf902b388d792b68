import { expect, test } from 'vitest';
import { drawJoins } from './draw-joins.ts';

test('a seed draws the same people, in the same trees', () => {
  const people = (seed: string) =>
    drawJoins(500, seed).map(({ email, source, inviter }) => ({ email, source, inviter }));
  expect(people('one')).toEqual(people('one'));
  expect(people('two')).not.toEqual(people('one'));
});

test('nobody comes twice, before their inviter, or from the future', () => {
  const joins = drawJoins(2_000, 'one');
  expect(new Set(joins.map(({ email }) => email)).size).toBe(joins.length);
  for (const [index, { agoMs, inviter }] of joins.entries()) {
    expect(agoMs).toBeGreaterThan(0);
    expect(agoMs).toBeLessThanOrEqual(joins[index - 1]?.agoMs ?? Number.POSITIVE_INFINITY);
    expect(inviter ?? -1).toBeLessThan(index);
  }
});

test('a few inviters bring many friends, and some friends bring friends in turn', () => {
  const joins = drawJoins(5_000, 'one');
  const friends = new Map<number, number>();
  for (const { inviter } of joins)
    if (inviter !== null) friends.set(inviter, (friends.get(inviter) ?? 0) + 1);
  const counts = [...friends.values()].toSorted((one, other) => other - one);
  expect(counts[0]).toBeGreaterThan(20);
  expect(counts.filter((count) => count === 1).length).toBeGreaterThan(counts.length / 4);
  const depthOf = (index: number): number => {
    const inviter = joins[index]?.inviter ?? null;
    return inviter === null ? 0 : 1 + depthOf(inviter);
  };
  expect(Math.max(...joins.map((_, index) => depthOf(index)))).toBeGreaterThan(4);
});
