import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createEmptyPostgresDatabase,
  type Engine,
  oneEngine,
} from '../../../test/support/engines.ts';
import type { RunSql } from '../database.ts';
import { runSqlOn } from '../embedded/embedded.ts';
import { migrate } from './migrate.ts';
import { type Change, functionSet, type Schema } from './read-schema.ts';

const first: Change = {
  name: '0101-a',
  hash: 'a',
  sql: 'create table a (n int); insert into a values (1);',
};
const second: Change = { name: '0102-b', hash: 'b', sql: 'create table b (n int);' };
const broken: Change = {
  name: '0102-b',
  hash: 'b',
  sql: 'create table b (n int); insert into missing values (1);',
};

const one = 'create or replace function number() returns integer language sql as $$ select 1 $$;';
/** Another signature, a type, a trigger and a function used before it is created. */
const two = `
create type pair as (x int, y int);
create or replace function number(sides pair) returns bigint language sql
  as $$ select later() + sides.x $$;
create or replace function later() returns bigint language sql as $$ select 2::bigint $$;
create or replace function count_a() returns trigger language plpgsql as $$
begin insert into a values (later()); return null; end $$;
create or replace trigger a_counted after insert on a
  for each statement when (pg_trigger_depth() = 0) execute function count_a();`;
const functions1 = functionSet([one], []);
const history = [`functions ${functions1.hash}`];
const functions2 = functionSet([two], history);
const old: Schema = { changes: [first], functions: functions1, history };
const next: Schema = { changes: [first, second], functions: functions2, history };

/** Shared, and emptied after each test: creating one takes longer than a test. */
let pglite: PGlite | undefined;
afterAll(() => pglite?.close());

async function openSession(engine: Engine) {
  if (engine === 'embedded') {
    pglite ??= await PGlite.create();
    const empty = 'rollback; drop schema public cascade; create schema public';
    const runSql = runSqlOn(pglite);
    return { runSql, close: () => runSql(empty) };
  }
  const place = await createEmptyPostgresDatabase();
  const { runSql, close } = await connect(place.databaseUrl);
  return {
    runSql,
    async close() {
      await close();
      await place.remove();
    },
  };
}

async function connect(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const runSql: RunSql = (text, values) => client.query(text, values) as never;
  return { runSql, close: () => client.end() };
}

describe.each(oneEngine)('schema changes on the %s engine', (engine) => {
  let opened: Awaited<ReturnType<typeof openSession>>;
  beforeEach(async () => {
    opened = await openSession(engine);
  });
  afterEach(() => opened.close());

  const applied = async () =>
    (
      await opened.runSql<{ name: string }>('select name from schema_change order by name')
    ).rows.map((row) => row.name);
  const read = async (query: string) => (await opened.runSql(query)).rows;

  test('are applied once each, in order', async () => {
    await migrate(opened.runSql, old);
    await migrate(opened.runSql, { ...next, functions: functions1 });
    await migrate(opened.runSql, { ...next, functions: functions1 });
    expect(await applied()).toEqual(['0101-a', '0102-b']);
    expect(await read('select n from a')).toEqual([{ n: 1 }]);
  });

  test('replace functions of a lower version, with types, triggers and signatures', async () => {
    await migrate(opened.runSql, old);
    expect(await read('select number()')).toEqual([{ number: 1 }]);
    await migrate(opened.runSql, next);
    await expect(read('select number()')).rejects.toMatchObject({ code: '42883' });
    expect(await read('select number(row(3, 4)::pair)::integer')).toEqual([{ number: 5 }]);
    await opened.runSql('insert into a values (7)');
    expect(await read('select n from a order by n')).toEqual([{ n: 1 }, { n: 2 }, { n: 7 }]);
    await migrate(opened.runSql, { ...next, functions: { ...functions1, version: 3 } });
    await opened.runSql('insert into a values (8)');
    expect(await read('select count(*)::integer as rows from a')).toEqual([{ rows: 4 }]);
    expect(await read(`select typname from pg_type where typname = 'pair'`)).toEqual([]);
  });

  test('leave functions alone that are not ours', async () => {
    await opened.runSql('create function other() returns integer language sql as $$ select 9 $$');
    await migrate(opened.runSql, old);
    await migrate(opened.runSql, next);
    expect(await read('select other()')).toEqual([{ other: 9 }]);
  });

  test('that fail leave nothing of themselves, and can be tried again', async () => {
    await migrate(opened.runSql, old);
    await expect(
      migrate(opened.runSql, { ...next, changes: [first, broken] }),
    ).rejects.toMatchObject({ code: '42P01' });
    expect(await applied()).toEqual(['0101-a']);
    expect(await read('select number()')).toEqual([{ number: 1 }]);
    await migrate(opened.runSql, next);
    expect(await applied()).toEqual(['0101-a', '0102-b']);
  });

  test('refuse a database newer than the program, and leave its functions alone', async () => {
    await migrate(opened.runSql, next);
    await expect(migrate(opened.runSql, old)).rejects.toThrow(
      'The database is newer than this program (it has 0102-b): start the newer program.',
    );
    await expect(migrate(opened.runSql, { ...next, functions: functions1 })).rejects.toThrow(
      'The database is newer than this program ' +
        "(its functions are version 2, this program's 1): start the newer program.",
    );
    expect(await read('select later()::integer')).toEqual([{ later: 2 }]);
  });

  test('replace functions that were edited since and have the same version', async () => {
    await migrate(opened.runSql, next);
    const functions = functionSet([one, 'create type other as (z int);'], history);
    expect(functions.version).toBe(functions2.version);
    await migrate(opened.runSql, { ...next, functions });
    expect(await read('select number()')).toEqual([{ number: 1 }]);
  });

  test('refuse a change with another hash, except one of the history', async () => {
    await migrate(opened.runSql, old);
    const edited = { ...old, changes: [{ ...first, hash: 'other' }] };
    await expect(migrate(opened.runSql, edited)).rejects.toThrow(
      'The database was made by a program with another 0101-a than this one: ' +
        'start that program, or restore a backup of the line with this one.',
    );
    await migrate(opened.runSql, { ...edited, history: [...history, '0101-a a', '0101-a other'] });
    expect(await applied()).toEqual(['0101-a']);
  });

  test('refuse tables of another program, and leave them alone', async () => {
    await opened.runSql('create table a (n int)');
    await expect(migrate(opened.runSql, old)).rejects.toThrow(
      'The database has tables of another program (relation "a" already exists): ' +
        'give this one its own.',
    );
    expect(await read(`select to_regclass('schema_change') as records`)).toEqual([
      { records: null },
    ]);
  });
});

test.each([undefined, old])(
  'several nodes starting together migrate once, from %j',
  async (before) => {
    const place = await createEmptyPostgresDatabase();
    const nodes = await Promise.all(Array.from({ length: 5 }, () => connect(place.databaseUrl)));
    const [node] = nodes;
    if (node === undefined) throw new Error('There is no node.');
    if (before !== undefined) await migrate(node.runSql, before);
    await Promise.all(nodes.map(({ runSql }) => migrate(runSql, next)));
    expect((await node.runSql('select n from a')).rows).toEqual([{ n: 1 }]);
    expect((await node.runSql('select version from schema_functions')).rows).toEqual([
      { version: 2 },
    ]);
    await Promise.all(nodes.map(({ close }) => close()));
    await place.remove();
  },
);
