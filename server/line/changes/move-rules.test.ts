import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countMoves, type KeyChange } from './move-rules.ts';

/** Members by name with their keys, and the same after the changes. */
function countSlowly(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>) {
  const rank = (line: ReadonlyMap<number, number>) =>
    new Map([...line].sort(([, a], [, b]) => a - b).map(([name], index) => [name, index]));
  const [old, now] = [rank(before), rank(after)];
  return [...old].filter(([name, position]) => now.has(name) && now.get(name) !== position).length;
}

test('counts the members that a slow comparison finds on another position', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(60), { maxLength: 30 }),
      fc.array(fc.record({ member: fc.nat(40), to: fc.option(fc.nat(60)) }), { maxLength: 8 }),
      (keys, wanted) => {
        const before = new Map(keys.map((key, name) => [name, key]));
        const after = new Map(before);
        const changes: KeyChange[] = [];
        for (const { member, to } of wanted) {
          const isFree = to === null || ![...before.values(), ...after.values()].includes(to);
          if (!isFree || changes.some((_, index) => wanted[index]?.member === member)) continue;
          if (before.get(member) !== after.get(member)) continue;
          changes.push({ from: before.get(member) ?? null, to });
          if (to === null) after.delete(member);
          else after.set(member, to);
        }
        const positionAt = new Map(
          changes
            .flatMap(({ from, to }) => [from, to])
            .filter((key) => key !== null)
            .map((key) => [key, 1 + keys.filter((other) => other < key).length]),
        );
        expect(countMoves(changes, { total: keys.length, positionAt })).toBe(
          countSlowly(before, after),
        );
      },
    ),
  );
});
