/** The counts of sort keys anywhere in their range, compared with plain counting. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { oneEngine } from '../support/engines.ts';
import { keepFinds } from '../support/keep-finds.ts';
import { provideLine } from '../support/provide-line.ts';

const GREATEST = 2 ** 52 - 1;
const NARROWEST = 64;
/** Anywhere, at both ends, and close enough together to share a node. */
const key = fc.oneof(
  fc.integer({ min: -GREATEST, max: GREATEST }),
  fc.integer({ min: -GREATEST, max: 1000 - GREATEST }),
  fc.integer({ min: GREATEST - 1000, max: GREATEST }),
  fc.integer({ min: -100_000, max: 100_000 }),
);
/**
 * Keys to add and to remove, and starts of narrowest buckets for which the members ahead are
 * counted.
 */
const step = fc.record({
  added: fc.array(key, { maxLength: 40 }),
  removed: fc.array(fc.nat(), { maxLength: 20 }),
  asked: fc.array(key, { minLength: 1, maxLength: 5 }),
});

describe.each(oneEngine)('counts on the %s engine', (engine) => {
  const place = provideLine(engine, {}, 'all');

  test('match the keys that are there, and nothing is left when all have gone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const held: number[] = [];
        for (const { added, removed, asked } of steps) {
          held.push(...added);
          const gone = removed.flatMap((at) =>
            held.length === 0 ? [] : held.splice(at % held.length, 1),
          );
          await count(added, gone);
          for (const each of [...asked, ...held.slice(0, 3)]) {
            const start = Math.floor(each / NARROWEST) * NARROWEST;
            expect(await positionOf(start)).toBe(1 + held.filter((other) => other < start).length);
          }
        }
        await count([], held);
        expect((await place.database.runSql('select * from count_node')).rows).toEqual([]);
      }),
      keepFinds({ numRuns: 60 }),
    );
  });

  test('reach from 64 keys to all, up to 256 ranges in a row of each level', async () => {
    const { rows } = await place.database.runSql<{ shift: number; wider: number }>(
      'select shift, wider from count_levels()',
    );
    const shifts = rows.map(({ shift }) => shift);
    expect([...shifts, 53]).toEqual([Math.log2(NARROWEST), ...rows.map(({ wider }) => wider)]);
    for (const { shift, wider } of rows) {
      expect(wider).toBeGreaterThan(shift);
      expect(wider).toBeLessThanOrEqual(shift + 8);
    }
  });

  async function count(added: readonly number[], removed: readonly number[]): Promise<void> {
    await sql`select count_keys(${added}::bigint[], ${removed}::bigint[])`.execute(
      place.database.kysely,
    );
  }

  async function positionOf(sortKey: number): Promise<number | undefined> {
    const { rows } = await sql<{ position: number }>`
      select position from position_of(${sortKey}::bigint)
    `.execute(place.database.kysely);
    return rows[0]?.position;
  }
});
