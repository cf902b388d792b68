import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { provideLine } from '../../../test/support/provide-line.ts';

const readText = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const document = readText('../../../docs/schema.md');
const rowsOf = (heading: string) =>
  (document.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(1, -1).split(' | '));
const namesIn = (text = '') => Array.from(text.matchAll(/`(\w+)`/g), ([, name = '']) => name);

const place = provideLine('postgres', {}, 'all');

async function query<Row>(text: string): Promise<Row[]> {
  return (await place.database.runSql<Row>(text)).rows;
}

const TABLES = `select tablename as name from pg_tables where schemaname = 'public' order by 1`;
const TRIGGERS = `select tgname as name, proname as runs
  from pg_trigger join pg_proc on pg_proc.oid = tgfoid
  where not tgisinternal and pronamespace = 'public'::regnamespace order by 1`;
const FUNCTION_SOURCES = `select proname as name, prosrc as source from pg_proc
  where pronamespace = 'public'::regnamespace and prokind = 'f' order by 1`;
const COLUMNS = `select table_name as "table", column_name as "column", udt_name as type,
    is_nullable = 'YES' as "isNullable",
    column_default is not null or is_identity = 'YES' as "hasDefault"
  from information_schema.columns where table_schema = 'public' and table_name not like 'schema\\_%'
  order by 1, 2`;

test('the document names every table, trigger and function, and no other', async () => {
  const tables = await query<{ name: string }>(TABLES);
  expect(
    rowsOf('Tables')
      .flatMap(([name]) => namesIn(name))
      .sort(),
  ).toEqual(tables.map(({ name }) => name));
  const triggers = await query<{ name: string; runs: string }>(TRIGGERS);
  const described = rowsOf('Triggers').flatMap(([names, runs]) =>
    namesIn(names).map((name) => ({ name, runs: namesIn(runs)[0] })),
  );
  expect(described.sort((a, b) => a.name.localeCompare(b.name))).toEqual(triggers);
  const functions = await query<{ name: string }>(FUNCTION_SOURCES);
  const named = new Set(rowsOf('Functions').flatMap(([names]) => namesIn(names)));
  expect([...named].sort()).toEqual([...new Set(functions.map(({ name }) => name))]);
});

test('the document names every writer of every table', async () => {
  const tables = (await query<{ name: string }>(TABLES)).map(({ name }) => name);
  const writers = new Map(tables.map((name) => [name, new Set<string>()]));
  const note = (writer: string, text: string) => {
    const inSql = /(?:insert into|update|delete from|merge into) (\w+)/g;
    const inKysely = /\.(?:insertInto|updateTable|deleteFrom)\('(\w+)'/g;
    for (const [, table = ''] of [...text.matchAll(inSql), ...text.matchAll(inKysely)])
      writers.get(table)?.add(writer);
  };
  for (const { name, source } of await query<{ name: string; source: string }>(FUNCTION_SOURCES))
    note(name, source);
  const server = new URL('../../', import.meta.url);
  for (const path of readdirSync(server, { recursive: true, encoding: 'utf8' }))
    if (/(?<!\.test)\.ts$/.test(path) && !path.startsWith('backup/'))
      note(path.split('/')[0] ?? '', readFileSync(new URL(path, server), 'utf8'));
  const described = rowsOf('Tables').map(([name, , list = '']) => [
    namesIn(name)[0],
    list.replaceAll('`', '').trim().split(', ').filter(Boolean).sort(),
  ]);
  expect(Object.fromEntries(described)).toEqual(
    Object.fromEntries([...writers].map(([name, set]) => [name, [...set].sort()])),
  );
});

test('a typed table has every column, as it reads back and as it may be left out', async () => {
  const source = readText('tables.ts') + readText('feature-tables.ts');
  const typeOf: Readonly<Record<string, string>> = {
    uuid: 'string',
    text: 'string',
    int4: 'number',
    int8: 'number',
    bool: 'boolean',
    timestamptz: 'Date',
    _int4: 'number[]',
    _uuid: 'string[]',
    _text: 'string[]',
    bytea: 'Uint8Array',
    jsonb: 'Json',
  };
  const declared = Array.from(source.matchAll(/^ {2}(\w+): \{\n([^}]*)\}/gm)).flatMap(
    ([, table = '', body = '']) =>
      Array.from(body.matchAll(/^ {4}(\w+): (.*);$/gm), ([, column, written = '']) => {
        const plain = /^Generated<(.*)>$/.exec(written)?.[1] ?? written;
        const type = plain
          .replace(' | null', '')
          .replace(/^Json<.*>$/, 'Json')
          .replace(/^(\w+(?:State|Credit|Step|Reason)|'.*')$/, 'string');
        const isNullable = plain.endsWith(' | null');
        return { table, column, type, isNullable, isOptional: isNullable || plain !== written };
      }),
  );
  const columns = await query<{
    table: string;
    column: string;
    type: string;
    isNullable: boolean;
    hasDefault: boolean;
  }>(COLUMNS);
  const typed = new Set(declared.map(({ table }) => table));
  const actual = columns
    .filter(({ table }) => typed.has(table))
    .map(({ hasDefault, type, ...column }) => ({
      ...column,
      type: typeOf[type],
      isOptional: column.isNullable || hasDefault,
    }));
  type Column = { table: string; column?: string | undefined };
  const byName = (a: Column, b: Column) =>
    `${a.table}.${a.column}`.localeCompare(`${b.table}.${b.column}`);
  expect(declared.sort(byName)).toEqual(actual.sort(byName));
});
