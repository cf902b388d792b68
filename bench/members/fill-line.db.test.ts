import { afterAll, beforeAll, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { createFilledDatabase } from '../../server/db/create-filled.ts';
import type { Database } from '../../server/db/database.ts';
import { migrateWithin, readMigrations } from '../../server/db/migrate.ts';
import { openDatabase } from '../../server/db/open.ts';
import { openJoinQueue } from '../../server/waitlist/join.ts';
import { prepareLine } from '../../server/waitlist/prepare-line.ts';
import { verifyLine } from '../../server/waitlist/verify-line.ts';
import { createEmptyPostgresDatabase, type DatabasePlace } from '../../test/support/engines.ts';
import { fillLine } from './fill-line.ts';

const MEMBERS = 5_000;

const places: DatabasePlace[] = [];
let database: Database;

async function fill(seed: number): Promise<DatabasePlace> {
  const place = await createEmptyPostgresDatabase();
  places.push(place);
  await createFilledDatabase({
    ...place,
    log: () => {},
    fill: async (session) => {
      await migrateWithin(session, readMigrations());
      await fillLine(session, { brand, members: MEMBERS, seed });
    },
  });
  return place;
}

async function ask<Row>(sql: string, of: Database = database): Promise<Row[]> {
  return (await of.runSql(sql)).rows as Row[];
}

const INDEXES = `select indexdef from pg_indexes where schemaname = 'public' order by indexdef`;
const CONSTRAINTS = `select conname, pg_get_constraintdef(oid) as definition from pg_constraint
  where connamespace = 'public'::regnamespace order by conname`;

beforeAll(async () => {
  database = await openDatabase({ ...(await fill(1)), log: () => {} });
});
afterAll(async () => {
  await database.close();
  for (const place of places) await place.remove();
});

test('made-up members stand in a line without differences', async () => {
  expect(await verifyLine(database, brand)).toEqual({ members: MEMBERS, differences: [] });
});

test('four in ten were invited, and a few inviters have brought most of them', async () => {
  const counts = await ask<{ friends: number }>(
    'select referral_count as friends from member where referral_count > 0 order by referral_count desc',
  );
  const invited = counts.reduce((sum, { friends }) => sum + friends, 0);
  expect(invited / MEMBERS).toBeCloseTo(0.4, 1);
  expect(counts[0]?.friends).toBeGreaterThan(20);
  // Drawn evenly, the best tenth of those who invited would have brought a fifth.
  const best = counts.slice(0, counts.length / 10).reduce((sum, { friends }) => sum + friends, 0);
  expect(best / invited).toBeGreaterThan(0.3);
});

test('nobody was invited by somebody who came later', async () => {
  const early = `select from member join member inviter on inviter.id = member.referrer_id
    where inviter.sequence >= member.sequence or inviter.joined_at >= member.joined_at`;
  expect(await ask(early)).toEqual([]);
});

test('tables, indexes and triggers are those of a database that was not filled', async () => {
  const place = await createEmptyPostgresDatabase();
  places.push(place);
  const empty = await openDatabase({ ...place, log: () => {} });
  for (const sql of [INDEXES, CONSTRAINTS]) expect(await ask(sql)).toEqual(await ask(sql, empty));
  await empty.close();
  expect(await ask(`select tgname from pg_trigger where tgenabled <> 'O'`)).toEqual([]);
});

test('the same seed makes the same members, another one others', async () => {
  const hash = `select md5(string_agg(id || email || referral_code || coalesce(referrer_id::text, ''), ',' order by sequence)) from member`;
  const [first] = await ask(hash);
  for (const [seed, isSame] of [
    [1, true],
    [2, false],
  ] as const) {
    const other = await openDatabase({ ...(await fill(seed)), log: () => {} });
    const [second] = await ask(hash, other);
    await other.close();
    if (isSame) expect(second).toEqual(first);
    else expect(second).not.toEqual(first);
  }
});

test('people join behind made-up members as behind others', async () => {
  await prepareLine(database, brand);
  const queue = openJoinQueue({ database, brand });
  const { statusCode } = await queue.join({ email: 'new@mail.example', referredBy: null, idempotencyKey: null });
  await queue.close();
  expect(statusCode).toBe(201);
  expect(await verifyLine(database, brand)).toEqual({ members: MEMBERS + 1, differences: [] });
});
