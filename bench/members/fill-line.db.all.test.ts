import { afterAll, beforeAll, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { createRestoredDatabase } from '../../server/db/create-restored.ts';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open.ts';
import { migrateWithin } from '../../server/db/schema/migrate.ts';
import { readSchema } from '../../server/db/schema/read-schema.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { openJoinQueue } from '../../server/line/join/join.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { createEmptyPostgresDatabase, type DatabasePlace } from '../../test/support/engines.ts';
import { fillLine } from './fill-line.ts';

const MEMBERS = 5_000;

const places: DatabasePlace[] = [];
let database: Database;

async function fill(seed: number): Promise<DatabasePlace> {
  const place = await createEmptyPostgresDatabase();
  places.push(place);
  await createRestoredDatabase({
    ...place,
    log: () => {},
    fill: async (runSql) => {
      await migrateWithin(runSql, readSchema());
      await fillLine(runSql, { brand, members: MEMBERS, seed });
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

test('made-up members form an exact line, and joining behind them keeps it exact', async () => {
  expect(await verifyLine(database)).toEqual({ members: MEMBERS, differences: [] });
  await prepareSizes(database, brand);
  const queue = openJoinQueue({ database, brand });
  const { statusCode } = await queue.join({
    email: 'new@mail.example',
    referredBy: null,
    idempotencyKey: null,
  });
  await queue.close();
  expect(statusCode).toBe(201);
  expect(await verifyLine(database)).toEqual({ members: MEMBERS + 1, differences: [] });
});

test('four in ten were invited, most of them by a few inviters', async () => {
  const counts = await ask<{ friends: number }>(
    `select count(*)::integer as friends from member where referrer_id is not null
     group by referrer_id order by friends desc`,
  );
  const invited = counts.reduce((sum, { friends }) => sum + friends, 0);
  expect(invited / MEMBERS).toBeCloseTo(0.4, 1);
  expect(counts[0]?.friends).toBeGreaterThan(20);
  // Drawn evenly, the best tenth of the inviters would have brought a fifth.
  const best = counts.slice(0, counts.length / 10).reduce((sum, { friends }) => sum + friends, 0);
  expect(best / invited).toBeGreaterThan(0.3);
});

test('no inviter joined after their friend', async () => {
  const early = `select from member join member inviter on inviter.id = member.referrer_id
    where inviter.sequence >= member.sequence or inviter.joined_at >= member.joined_at`;
  expect(await ask(early)).toEqual([]);
});

test('tables, indexes and triggers are those of an empty database', async () => {
  const place = await createEmptyPostgresDatabase();
  places.push(place);
  const empty = await openDatabase({ ...place, log: () => {} });
  for (const sql of [INDEXES, CONSTRAINTS]) expect(await ask(sql)).toEqual(await ask(sql, empty));
  await empty.close();
  expect(await ask(`select tgname from pg_trigger where tgenabled <> 'O'`)).toEqual([]);
});

test('the same seed makes the same members, another seed makes others', async () => {
  const hash = `
    select md5(string_agg(
      id || email || referral_code || coalesce(referrer_id::text, ''), ',' order by sequence
    )) from member where sequence <= ${MEMBERS}`;
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
