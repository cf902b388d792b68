/** Where members come from, as the line keeps it. */

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { oneEngine } from '../../../test/support/engines.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import { inTransaction } from '../../db/transaction.ts';
import { removeMember } from '../change-member.ts';
import { openCounters } from '../funnel/counters.ts';
import { addCounts } from '../funnel/funnel-store.ts';
import { type JoinQueue, openJoinQueue } from '../join/join.ts';
import type { Source } from './source-rules.ts';
import { getSource, writePin } from './source-store.ts';

const NOTHING: Source = {
  utm_source: '',
  utm_medium: '',
  utm_campaign: '',
  via: '',
  referring_host: '',
};
const campaign = (name: string): Source => ({ ...NOTHING, utm_campaign: name });
/** The bounds in learn_sources. */
const MAX_VISITED = 1_000;
const NEW_A_DAY = 500;
/** What a server adds at once. */
const FLUSHED = 200;
const MANY = 1_400;

describe.each(oneEngine)('sources on the %s engine', (engine) => {
  const place = provideLine(engine);
  let second: JoinQueue;
  beforeEach(() => {
    second = openJoinQueue({ database: place.database, brand });
  });
  afterEach(() => second.close());

  let joined = 0;
  async function join(source: Source | null, queue = place.queue): Promise<string> {
    joined += 1;
    const request = { email: `p${joined}@example.com`, referredBy: null, idempotencyKey: null };
    const answer = await queue.join({ ...request, source });
    if (!answer.memberId) throw new Error(`Answered ${answer.statusCode}.`);
    return answer.memberId;
  }

  const countSources = async () =>
    (await sql<{ n: number }>`select count(*) as n from source`.execute(place.database.kysely))
      .rows[0]?.n;

  test('each member keeps their own, and equal ones are stored once', async () => {
    const wanted = [campaign('a'), null, campaign('b'), campaign('a'), { ...NOTHING, via: 'qr' }];
    const together = await Promise.all(wanted.map((source) => join(source)));
    const later = await join(campaign('b'));
    for (const [index, id] of together.entries())
      expect(await getSource(place.database, id)).toEqual(wanted[index] ?? NOTHING);
    expect(await getSource(place.database, later)).toEqual(campaign('b'));
    expect(await countSources()).toBe(2 + 3);
  });

  test('servers that meet new ones at the same time give each one id', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `c${index % 20}`);
    const ids = await Promise.all(
      names.map((name, index) => join(campaign(name), index % 2 === 0 ? place.queue : second)),
    );
    for (const [index, id] of ids.entries())
      expect(await getSource(place.database, id)).toEqual(campaign(names[index] ?? ''));
    expect(await countSources()).toBe(2 + 20);
  });

  const other = { ...NOTHING, utm_source: '(other)' };
  const runSql = (text: string) => place.database.runSql(text);
  const visit = (source: Source, visits = 1) =>
    addCounts(place.database, { visits: [{ ...source, page: 'landing', visits }], events: [] });
  const addMany = (count: number, columns: string) =>
    runSql(`insert into source (id, utm_campaign, key, ${columns.split(' = ')[0]})
      select (select max(id) from source) + 1 + number, 'made up ' || number,
        e'\\n\\nmade up ' || number || e'\\n\\n', ${columns.split(' = ')[1]}
      from generate_series(0, ${count} - 1) number`);
  /** By the name of the campaign. What a source had that was forgotten is of "(other)". */
  async function countVisits(): Promise<Record<string, number>> {
    const { rows } = await place.database.runSql<{ name: string; visits: number }>(`
      select coalesce(nullif(utm_campaign, ''), '(other)') as name,
        sum(visit_count.visits)::integer as visits
      from visit_count left join source on source.id = source_id group by 1`);
    return Object.fromEntries(rows.map(({ name, visits }) => [name, visits]));
  }

  test('two spellings are one, as it was written first', async () => {
    const first = await join(campaign('Messe Köln'));
    const second = await join(campaign('messe köln'));
    await visit(campaign('MESSE KÖLN'));
    for (const id of [first, second])
      expect(await getSource(place.database, id)).toEqual(campaign('Messe Köln'));
    expect(await countSources()).toBe(2 + 1);
  });

  test('made-up visits make room for real ones, whose counts stay', async () => {
    await visit(campaign('real'), 3);
    for (let flush = 0; flush < MANY; flush += FLUSHED) {
      const visits = Array.from({ length: FLUSHED }, (_, index) => ({
        ...campaign(`made up ${flush + index}`),
        page: 'landing' as const,
        visits: 1,
      }));
      await addCounts(place.database, { visits, events: [] });
    }
    expect(await countSources()).toBeLessThanOrEqual(2 + MAX_VISITED);
    // A new quarter of an hour.
    await runSql(`update visit_count set quarter = quarter - interval '15 minutes'`);
    await visit(campaign('new'));
    await visit(campaign('new'));
    await visit(campaign('real'));
    expect(await countVisits()).toMatchObject({ real: 4, new: 2 });
    const counted = Object.values(await countVisits());
    expect(counted.reduce((sum, visits) => sum + visits, 0)).toBe(MANY + 6);
    expect(await countSources()).toBe(2 + MAX_VISITED);
  });

  test('one address that makes sources up at once takes the room of nobody else', async () => {
    const onFailure = (error: unknown) => expect.unreachable(String(error));
    const counters = openCounters({ database: place.database, onFailure });
    for (let index = 0; index < MANY; index += 1)
      counters.countVisit('landing', campaign(`made up ${index}`), '192.0.2.1');
    counters.countVisit('landing', campaign('real'), '192.0.2.2');
    await counters.close();
    expect(await countVisits()).toMatchObject({ real: 1, 'made up 0': 1 });
  });

  test('a source of members or one that is pinned stays, and is always counted', async () => {
    await visit(campaign('joined'));
    await join(campaign('joined'));
    await inTransaction(place.database, (transaction) =>
      writePin(transaction, campaign('Pinned'), true),
    );
    await addMany(MAX_VISITED, 'visits = 1000');
    await visit(campaign('a'));
    await visit(campaign('b'));
    const names = await runSql('select utm_campaign as name from source');
    expect(names.rows).toEqual(
      expect.arrayContaining([{ name: 'joined' }, { name: 'Pinned' }, { name: 'b' }]),
    );
    await runSql(`insert into visit_count (quarter, page, source_id, visits)
      select quarter_of(clock_timestamp()), 'landing', id, 1 from source where visits = 1000
      limit 200`);
    await visit(campaign('pinned'));
    await visit(campaign('Joined'));
    await visit(campaign('c'));
    expect(await countVisits()).toMatchObject({ joined: 2, Pinned: 1 });
    expect(await countVisits()).not.toHaveProperty('c');
  });

  test('joins bring some new ones a day, and tomorrow more', async () => {
    await addMany(NEW_A_DAY - 1, `joined_on = (clock_timestamp() at time zone 'UTC')::date`);
    const ids = await Promise.all([join(campaign('x')), join(campaign('y'))]);
    const sources = await Promise.all(ids.map((id) => getSource(place.database, id)));
    expect(sources).toContainEqual(other);
    expect(sources).not.toEqual([other, other]);
    const known = await join(campaign('made up 7'));
    expect(await getSource(place.database, known)).toEqual(campaign('made up 7'));
    await visit(campaign('z'));
    const late = await join(campaign('z'));
    expect(await getSource(place.database, late)).toEqual(other);
    await runSql(`update source set joined_on = joined_on - 1`);
    const next = await join(campaign('z'));
    expect(await getSource(place.database, next)).toEqual(campaign('z'));
  });

  test('a member who leaves takes theirs along', async () => {
    const id = await join(campaign('a'));
    await removeMember(place.database, { memberId: id });
    expect(await getSource(place.database, id)).toBeNull();
    const { rows } = await sql`select from member where source_id is not null`.execute(
      place.database.kysely,
    );
    expect(rows).toEqual([]);
  });
});
