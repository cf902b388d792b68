import { sql } from 'kysely';
import type { Reader, RunSql } from '../db/database.ts';
import { first, run, value } from '../db/rows.ts';
import { MAIL_QUEUE } from '../db/schema/queue-schema.ts';
import type { Snapshot } from '../db/snapshot.ts';

/** Tables that migrating writes, that derive from members, that are of one place, or expire. */
export const NOT_BACKED_UP = [
  'schema_change',
  'schema_functions',
  'standing',
  'count_node',
  'referral_tally',
  'limit_count',
  'live_member',
  'live_server',
  'trace_key',
  'join_trace',
  'one_time_secret',
  'operator_session',
  'list_import',
  'list_import_chunk',
  'list_import_row',
  'line_home',
];
/**
 * Columns with keys of shops, which the secret key of the backup would open. The table `till` is
 * that of lines that are not upgraded yet.
 */
const LEFT_OUT: Readonly<Record<string, string>> = { till_account: 'keys', till: 'keys' };
const PAGE_ROWS = 1_000;

export type Pages = AsyncGenerator<{ readonly rows: number; readonly json: string }>;

export async function readSchemaVersion(snapshot: Snapshot): Promise<string> {
  const row = await first<{ version: string }>(snapshot)`
    select max(name) as version from schema_change`;
  return row?.version ?? '';
}

export function readSizeBytes({ kysely }: Reader) {
  return value<number>(kysely)`
    select pg_database_size(current_database())::float8 as bytes`;
}

export async function listTables(snapshot: Snapshot): Promise<string[]> {
  return orderTables(await sql<TableRow>`${sql.raw(LIST_TABLES)}`.execute(snapshot));
}

export async function listTablesOf(runSql: RunSql): Promise<string[]> {
  return orderTables(await runSql<TableRow>(LIST_TABLES));
}

/** Rows as JSON text, which JavaScript never parses, so that values stay exact. */
export function readPages(snapshot: Snapshot, table: string): Pages {
  // Joining order makes ids enter the index at one end.
  const order = sql.raw(table === 'member' ? 'order by sequence' : '');
  const secret = LEFT_OUT[table];
  const row = secret ? sql`to_jsonb(one) - ${sql.lit(secret)}` : sql`row_to_json(one)`;
  const rows = sql`select (${row})::text as row from ${sql.table(table)} one ${order}`;
  return readCursor(snapshot, rows);
}

/** Mails not yet delivered. One being sent is sent again under its id, and so its Message-ID. */
export function readMailPages(snapshot: Snapshot): Pages {
  return readCursor(
    snapshot,
    sql`select json_build_object(
          'id', id, 'data', data, 'priority', priority, 'created_on', created_on,
          'retry_count', retry_count,
          'state', case when state = 'created' then 'created' else 'retry' end,
          'start_after', case when state = 'active' then now() else start_after end)::text as row
        from pgboss.job where name = ${sql.lit(MAIL_QUEUE)} and state <= 'active'
        order by created_on, id`,
  );
}

export async function insertPage(runSql: RunSql, table: string, json: string): Promise<void> {
  const name = `"${table.replaceAll('"', '""')}"`;
  await runSql(
    `insert into ${name} select * from json_populate_recordset(null::${name}, $1::json)`,
    [json],
  );
}

/** The retention of mails begins now, as if they had just been queued. */
export async function insertMailPage(runSql: RunSql, json: string): Promise<void> {
  await runSql(
    `insert into pgboss.job (
       id, name, data, priority, state, retry_count, start_after, created_on, keep_until,
       policy, expire_seconds, deletion_seconds, heartbeat_seconds,
       retry_limit, retry_delay, retry_backoff, retry_delay_max)
     select mail.id, queue.name, mail.data, coalesce(mail.priority, 0),
       mail.state::pgboss.job_state, mail.retry_count, mail.start_after, mail.created_on,
       now() + make_interval(secs => queue.retention_seconds),
       queue.policy, queue.expire_seconds, queue.deletion_seconds, queue.heartbeat_seconds,
       queue.retry_limit, queue.retry_delay, queue.retry_backoff, queue.retry_delay_max
     from pgboss.queue queue, json_to_recordset($1::json) mail (
       id uuid, data jsonb, priority integer, state text, retry_count integer,
       start_after timestamptz, created_on timestamptz)
     where queue.name = $2`,
    [json, MAIL_QUEUE],
  );
}

export type Restored = { readonly takenAt: string; readonly isLine: boolean };

/** Older backups have keys of shops. Returns the names of the accounts that need them. */
export async function settleRestored(
  runSql: RunSql,
  { takenAt, isLine }: Restored,
): Promise<string[]> {
  await runSql('update till_account set keys = null');
  await runSql(`select mark_copy('restored', $1)`, [takenAt]);
  if (isLine) {
    await runSql('select forget_copy()');
    await runSql(
      `select append_audit('system', null, 'restore', 'this-is-the-line', null, null, $1, $2)`,
      [
        'Restored as the line',
        JSON.stringify({ summary: 'The line was restored.', taken_at: takenAt }),
      ],
    );
  }
  const { rows } = await runSql<{ name: string }>('select name from keyless_accounts()');
  return rows.map(({ name }) => name);
}

export async function emptyTable(runSql: RunSql, table: string): Promise<void> {
  await runSql(`delete from "${table.replaceAll('"', '""')}"`);
}

export async function countRows(runSql: RunSql, table: string): Promise<number> {
  const { rows } = await runSql<{ rows: number }>(
    `select count(*)::integer as rows from "${table.replaceAll('"', '""')}"`,
  );
  return rows[0]?.rows ?? 0;
}

export async function rebuildLine(runSql: RunSql): Promise<{ mails: number; total: number }> {
  await runSql('select rebuild_line()');
  await runSql(RESUME_NUMBERS);
  await runSql('analyze');
  const { rows } = await runSql<{ mails: number; total: number }>(
    `select (select count(*)::integer from pgboss.job where name = $1) as mails,
            (select total::integer from line_state) as total`,
    [MAIL_QUEUE],
  );
  return rows[0] ?? { mails: 0, total: 0 };
}

/** A backup has no counters of identity columns. The audit log knows numbers of deleted drafts. */
const RESUME_NUMBERS = `
  select setval(pg_get_serial_sequence('campaign', 'id'), 1 + greatest(0,
    (select max(id) from campaign),
    (select max(subject_id::integer) from audit_entry where subject_kind = 'campaign')), false)`;

type TableRow = { readonly name: string; readonly targets: string[] };

const LIST_TABLES = `
  select relname::text as name, array(
    select target.relname::text from pg_constraint
    join pg_class target on target.oid = confrelid
    where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as targets
  from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    and not relispartition
    and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
  order by relname`;

function orderTables({ rows }: { readonly rows: readonly TableRow[] }): string[] {
  const ordered: string[] = [];
  let left = rows.filter(({ name }) => !NOT_BACKED_UP.includes(name));
  while (left.length > 0) {
    const next = left.filter(({ targets }) =>
      targets.every((target) => !left.some(({ name }) => name === target)),
    );
    if (next.length === 0)
      throw new Error(`Tables reference each other in a cycle: ${left.map(({ name }) => name)}`);
    ordered.push(...next.map(({ name }) => name));
    left = left.filter((table) => !next.includes(table));
  }
  return ordered;
}

async function* readCursor(snapshot: Snapshot, select: ReturnType<typeof sql>): Pages {
  await run(snapshot)`declare backup_rows no scroll cursor for ${select}`;
  for (;;) {
    const fetch = sql<{ row: string }>`fetch ${sql.lit(PAGE_ROWS)} from backup_rows`;
    const { rows } = await fetch.execute(snapshot);
    if (rows.length > 0)
      yield { rows: rows.length, json: `[${rows.map(({ row }) => row).join(',')}]` };
    if (rows.length < PAGE_ROWS) break;
  }
  await run(snapshot)`close backup_rows`;
}
