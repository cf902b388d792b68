import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEmptyPostgresDatabase, engines } from '../../test/support/engines.ts';
import { migrateToMergedForm } from '../../test/support/merged-migration.ts';
import { type Migration, migrate, readMigrations, type SqlSession } from './migrate.ts';

const first: Migration = { name: '0001-a', hash: 'a', sql: 'create table a (n int); insert into a values (1);' };
const second: Migration = { name: '0002-b', hash: 'b', sql: 'create table b (n int);' };
const broken: Migration = { name: '0002-b', hash: 'b', sql: 'create table b (n int); insert into missing values (1);' };

async function openSession(engine: (typeof engines)[number]) {
  if (engine === 'embedded') {
    const pglite = await PGlite.create();
    return { session: pglite as SqlSession, close: () => pglite.close() };
  }
  const place = await createEmptyPostgresDatabase();
  const { session, close } = await connect(place.databaseUrl);
  return {
    session,
    async close() {
      await close();
      await place.remove();
    },
  };
}

async function connect(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const session: SqlSession = {
    exec: (text) => client.query(text),
    query: (text, values) => client.query(text, values) as never,
  };
  return { session, close: () => client.end() };
}

describe.each(engines)('migrations on the %s engine', (engine) => {
  let opened: Awaited<ReturnType<typeof openSession>>;
  beforeEach(async () => {
    opened = await openSession(engine);
  });
  afterEach(() => opened.close());

  const applied = async () =>
    (await opened.session.query<{ name: string }>('select name from schema_migration order by name')).rows.map(
      (row) => row.name,
    );

  test('are applied once each, in order', async () => {
    await migrate(opened.session, [first]);
    await migrate(opened.session, [first, second]);
    await migrate(opened.session, [first, second]);
    expect(await applied()).toEqual(['0001-a', '0002-b']);
    expect((await opened.session.query('select n from a')).rows).toEqual([{ n: 1 }]);
  });

  test('that fail leave nothing of themselves, and can be tried again', async () => {
    await expect(migrate(opened.session, [first, broken])).rejects.toMatchObject({ code: '42P01' });
    expect(await applied()).toEqual(['0001-a']);
    await migrate(opened.session, [first, second]);
    expect(await applied()).toEqual(['0001-a', '0002-b']);
  });

  test('refuse a database that is newer than the program', async () => {
    await migrate(opened.session, [first, second]);
    await expect(migrate(opened.session, [first])).rejects.toThrow(
      'The database is newer than this program (it has 0002-b): start the newer program.',
    );
  });

  test('take a database that has one migration with the next one in it for one that has both', async () => {
    await migrateToMergedForm(opened.session);
    await migrate(opened.session);
    expect((await opened.session.query('select name, hash from schema_migration order by name')).rows).toEqual(
      readMigrations().map(({ name, hash }) => ({ name, hash })),
    );
  });

  test('refuse a file that was edited after it was applied', async () => {
    await migrate(opened.session, [first]);
    await expect(migrate(opened.session, [{ ...first, hash: 'other' }])).rejects.toThrow(
      'The migration 0001-a was edited after this database applied it: restore the file.',
    );
  });
});

test('migrations are done once when several nodes start together', async () => {
  const place = await createEmptyPostgresDatabase();
  const nodes = await Promise.all(Array.from({ length: 5 }, () => connect(place.databaseUrl)));
  await Promise.all(nodes.map(({ session }) => migrate(session, [first, second])));
  expect((await nodes[0]?.session.query('select n from a'))?.rows).toEqual([{ n: 1 }]);
  await Promise.all(nodes.map((node) => node.close()));
  await place.remove();
});
