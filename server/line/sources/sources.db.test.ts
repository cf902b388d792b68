/** Where members come from, as the line keeps it. */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { prepareLine } from '../../prepare-line.ts';
import { removeMember } from '../change-member.ts';
import { type JoinQueue, openJoinQueue } from '../join/join.ts';
import type { Source } from './source-rules.ts';
import { getSource } from './source-store.ts';

const NOTHING: Source = {
  utm_source: '',
  utm_medium: '',
  utm_campaign: '',
  via: '',
  referring_host: '',
};
const campaign = (name: string): Source => ({ ...NOTHING, utm_campaign: name });
/** The bound in join_members. */
const MAX_SOURCES = 2_000;

let place: TestDatabase;
let queues: JoinQueue[];

describe.each(oneEngine)('sources on the %s engine', (engine) => {
  beforeEach(async () => {
    place = await openTestDatabase(engine);
    await prepareLine(place.database, brand);
    queues = [1, 2].map(() => openJoinQueue({ database: place.database, brand }));
  });
  afterEach(async () => {
    await Promise.all(queues.map((queue) => queue.close()));
    await place.close();
  });

  let joined = 0;
  async function join(source: Source | null, queue = queues[0]): Promise<string> {
    joined += 1;
    const request = { email: `p${joined}@example.com`, referredBy: null, idempotencyKey: null };
    const answer = await queue?.join({ ...request, source });
    if (!answer?.memberId) throw new Error(`Answered ${answer?.statusCode}.`);
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
      names.map((name, index) => join(campaign(name), queues[index % 2])),
    );
    for (const [index, id] of ids.entries())
      expect(await getSource(place.database, id)).toEqual(campaign(names[index] ?? ''));
    expect(await countSources()).toBe(2 + 20);
  });

  test('the rest is "other" when there are too many', async () => {
    await sql`
      insert into source (id, utm_campaign)
      select number, 'made up ' || number
      from generate_series(2, ${MAX_SOURCES - 2}::integer) number
    `.execute(place.database.kysely);
    const ids = await Promise.all([join(campaign('x')), join(campaign('y'))]);
    const sources = await Promise.all(ids.map((id) => getSource(place.database, id)));
    const other = { ...NOTHING, utm_source: '(other)' };
    expect(sources).toContainEqual(other);
    expect(sources).not.toEqual([other, other]);
    expect(await countSources()).toBe(MAX_SOURCES);
    const known = await join(campaign('made up 7'));
    expect(await getSource(place.database, known)).toEqual(campaign('made up 7'));
    const late = await join(campaign('z'));
    expect(await getSource(place.database, late)).toEqual(other);
    expect(await countSources()).toBe(MAX_SOURCES);
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
