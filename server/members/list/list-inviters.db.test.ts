/** Top inviters beside a count of every friend in JavaScript. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { oneEngine } from '../../../test/support/engines.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import { seedVariedLine, variedTiers } from '../../../test/support/varied-line.ts';
import { readFilter } from './filter-rules.ts';
import { countBrought, type JoinKey } from './inviter-store.ts';
import { listTopInviters } from './list-inviters.ts';

type Friend = {
  id: string;
  referrer_id: string;
  credit: string;
  joined_at: Date;
  utm_source: string | null;
  referring_host: string | null;
};

const DAYS = Array.from({ length: 12 }, (_, day) => `2026-05-${String(day + 1).padStart(2, '0')}`);

describe.each(oneEngine)('top inviters on %s', (engine) => {
  const place = provideLine(engine, {}, 'all');
  let friends: Friend[];
  beforeAll(async () => {
    await seedVariedLine(place);
    const { rows } = await place.database.runSql(`
      select member.id, referrer_id, credit, joined_at, utm_source, referring_host
      from member left join source on source.id = source_id
      where referrer_id is not null`);
    friends = rows as Friend[];
  });

  const list = (request: Parameters<typeof listTopInviters>[1]) =>
    listTopInviters({ database: place.database, brand: { tiers: variedTiers } }, request);

  test('are those with the most friends of that time and source', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...DAYS),
        fc.constantFrom(...DAYS),
        fc.constantFrom(undefined, 'instagram', 'Newsletter', 'l.instagram.com', '(none)'),
        async (from, to, source) => {
          const value = source?.toLowerCase();
          const counted = friends.filter(
            ({ credit, joined_at, utm_source, referring_host }) =>
              credit !== 'refused' &&
              joined_at >= new Date(from) &&
              joined_at < new Date(to) &&
              (value === undefined ||
                (value === '(none)'
                  ? utm_source === null
                  : [utm_source, referring_host].includes(value))),
          );
          const counts = [...Map.groupBy(counted, ({ referrer_id }) => referrer_id).values()].map(
            (brought) => {
              const given = brought.filter(({ credit }) => credit === 'given').length;
              return [given, brought.length - given] as const;
            },
          );
          const expected = counts.toSorted(([a, c], [b, d]) => b - a || d - c).slice(0, 20);
          const request = { joined_from: from, joined_to: to, ...(source && { source }) };
          const { inviters } = await list(request);
          expect(inviters.map((one) => [one.friends, one.waiting])).toEqual(expected);
          for (const { member, friends: given, waiting, sources } of inviters) {
            const own = counted.filter(({ referrer_id }) => referrer_id === member.id);
            expect(own.length).toBe(given + waiting);
            const sum = sources.reduce((all, one) => all + one.friends + one.waiting, 0);
            expect(sum).toBe(own.length);
            const names = new Set(own.map(({ utm_source }) => utm_source ?? ''));
            expect(new Set(sources.map(({ utm_source }) => utm_source))).toEqual(names);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('are counted in steps that leave nobody out', async () => {
    const criteria = readFilter({ joined_from: '2026-05-01', joined_to: '2026-06-01' }, []);
    let [sum, after] = [0, null as JoinKey | null];
    do {
      const step = await countBrought(place.database, { criteria, after, members: 7 });
      for (const one of step.brought) sum += one.friends + one.waiting;
      after = step.last;
    } while (after !== null);
    expect(sum).toBe(friends.filter(({ credit }) => credit !== 'refused').length);
  });

  test('are those of the last week without a time, and a wrong time is refused', async () => {
    const { joined_from, joined_to, inviters } = await list({});
    expect(Date.parse(joined_to) - Date.parse(joined_from)).toBe(7 * 24 * 3_600_000);
    expect(inviters).toEqual([]);
    await expect(list({ joined_from: 'monday' })).rejects.toThrow('"joined_from"');
  });
});
