/** Filters in SQL beside the same filters applied to every member, one after the other. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { MAIL_STATES, MEMBER_CREDITS, NO_SOURCE } from '../../../contract/member-states.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import { oneEngine } from '../../../test/support/engines.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import {
  filtersOf,
  isMatch,
  seedVariedLine,
  VARIED_MEMBERS,
  type VariedMember,
  variedTiers,
} from '../../../test/support/varied-line.ts';
import { readFilter } from './filter-rules.ts';
import { selectMatching } from './filter-store.ts';

describe.each(oneEngine)('filters on %s', (engine) => {
  const place = provideLine(engine, {}, 'all');
  let line: VariedMember[];
  beforeAll(async () => {
    line = await seedVariedLine(place);
  });

  const find = async (filter: MemberFilter) => {
    const matching = selectMatching(readFilter(filter, variedTiers));
    const { rows } = await sql<{ id: string }>`${matching}`.execute(place.database.kysely);
    return rows.map(({ id }) => id).sort();
  };

  test('match as the fields say, alone and together', async () => {
    await fc.assert(
      fc.asyncProperty(filtersOf(line), async (filter) => {
        const expected = line.filter((row) => isMatch(row, filter)).map(({ id }) => id);
        expect(await find(filter)).toEqual(expected.sort());
      }),
      { numRuns: 150 },
    );
  });

  test('each finds somebody', async () => {
    const found = [
      ...MEMBER_CREDITS.map((credit) => ({ credit })),
      ...MAIL_STATES.map((mail) => ({ mail })),
      ...[0, 1, 2].map((tier) => ({ tier })),
      { source: 'Newsletter' },
      { source: NO_SOURCE },
      { confirmed: true },
      { text: '#1' },
      { text: `#${VARIED_MEMBERS}` },
      { text: 'first 100' },
      { positions: '101-' },
      { text: 'Bücher' },
      { joined_from: '2026-05-02', joined_to: '2026-05-03' },
    ].map(async (filter) => (await find(filter)).length);
    expect(Math.min(...(await Promise.all(found)))).toBeGreaterThan(0);
    expect(await find({})).toHaveLength(VARIED_MEMBERS);
    expect(await find({ text: `#${VARIED_MEMBERS + 1}` })).toEqual([]);
    expect(await find({ text: '#0' })).toEqual([]);
  });
});
