/** All rows of a line, to begin with them again, or to have them in another database. */
import type { RunSql } from '../../server/db/database.ts';

export type LineRows = {
  readonly tables: readonly string[];
  /** JavaScript never parses this JSON, so that values stay exact. */
  readonly rows: readonly { readonly name: string; readonly json: string | null }[];
};

/** It leaves out the tables of the schema, whose rows are the same in each database. */
const LIST_TABLES = `
  select oid::regclass::text as name from pg_class
  where relkind in ('r', 'p') and not relispartition and (
    relnamespace = 'public'::regnamespace and relname not like 'schema\\_%'
    or oid = 'pgboss.job'::regclass)`;

export async function readLineRows(runSql: RunSql): Promise<LineRows> {
  const found = await runSql<{ name: string }>(LIST_TABLES);
  const tables = found.rows.map(({ name }) => name);
  const each = tables.map(
    (name) => `select '${name}' as name, json_agg(one)::text as json from ${name} one`,
  );
  return { tables, ...(await runSql(each.join(' union all '))) };
}

/** Replaces all rows that are there, in one round trip and without triggers. */
export async function writeLineRows(runSql: RunSql, { tables, rows }: LineRows): Promise<void> {
  const filled = rows.filter(({ json }) => json !== null);
  await runSql(
    [
      `begin; set local session_replication_role = 'replica'`,
      ...tables.map((name) => `delete from ${name}`),
      ...filled.map(
        ({ name, json }) =>
          `insert into ${name} overriding system value
          select * from json_populate_recordset(null::${name}, $rows$${json}$rows$)`,
      ),
      'commit',
    ].join(';\n'),
  );
}
