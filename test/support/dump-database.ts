import type { Database } from '../../server/db/database.ts';

/** Every row, as JSON and as text, of all tables of all schemas whose `schema.table` is wanted. */
export async function dumpDatabase(
  { runSql }: Database,
  isWanted: (table: string) => boolean = () => true,
) {
  const { rows } = await runSql(`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
    from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
    order by name`);
  const tables = (rows as { name: string }[]).map(({ name }) => name).filter(isWanted);
  const lines: string[] = [];
  for (const table of tables) {
    const content = await runSql(
      `select row_to_json(one)::text as json, one::text as text from ${table} one order by 2`,
    );
    for (const { json, text } of content.rows as { json: string; text: string }[])
      lines.push(`${table} ${json} ${text}`);
  }
  return { tables, text: lines.join('\n') };
}
