import { StartupError } from '../../startup-error.ts';
import type { Database } from '../database.ts';
import {
  BASELINE,
  type Change,
  type FunctionSet,
  LAST_MERGED,
  readSchema,
  type Schema,
} from './read-schema.ts';

/** A connection for one caller alone; a PGlite is one. */
export type SqlSession = {
  exec(sql: string): Promise<unknown>;
  query<Row>(sql: string, parameters?: unknown[]): Promise<{ rows: Row[] }>;
};

/** Every server must use the same number. */
const MIGRATION_LOCK = 7_402_114_390;

/**
 * Migrates in one transaction; other servers wait and find nothing to do. Throws StartupError when
 * the database is newer than the schema, has a change that was edited, or is older and belongs to
 * another role.
 */
export async function migrate(session: SqlSession, schema: Schema = readSchema()): Promise<void> {
  await inLockedTransaction(session, () => migrateWithin(session, schema));
}

/** The caller holds the migration lock or the only connection. */
export async function migrateWithin(session: SqlSession, schema: Schema): Promise<void> {
  if (!(await hasRecords(session))) await createRecords(session);
  const pending = await findPending(session, schema.changes);
  const installed = await readInstalled(session);
  if (pending.length === 0 && isCurrent(installed, schema.functions)) return;
  await assertOwner(session);
  await lockLine(session);
  // Changes run without functions and triggers, which may not fit half-changed tables.
  if (installed !== null) await dropFunctions(session, installed.names);
  await applyChanges(session, pending);
  await createFunctions(session, schema.functions);
}

/** Throws StartupError when the database has no waitlist, or another version. */
export async function assertCurrent({ runSql }: Pick<Database, 'runSql'>): Promise<void> {
  const schema = readSchema();
  const query = async <Row>(text: string, values?: unknown[]) =>
    (await runSql(text, values)) as { rows: Row[] };
  const session = { query };
  if (!(await hasRecords(session)))
    throw new StartupError('There is no waitlist in the database: are the settings right?');
  const pending = await findPending(session, schema.changes);
  if (pending.length > 0 || !isCurrent(await readInstalled(session), schema.functions))
    throw new StartupError('The database is older than this program: start the server first.');
}

/** Creates the tables without functions and triggers. */
export async function createTables(session: SqlSession, changes: readonly Change[]): Promise<void> {
  await createRecords(session);
  await applyChanges(session, changes);
}

/** Excludes other migrations and restores until the transaction ends. */
export async function lockMigrations(session: SqlSession): Promise<void> {
  await session.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
}

export async function inLockedTransaction<T>(
  session: SqlSession,
  work: () => Promise<T>,
): Promise<T> {
  await session.exec('begin');
  try {
    await lockMigrations(session);
    const result = await work();
    await session.exec('commit');
    return result;
  } catch (error) {
    await session.exec('rollback');
    throw error;
  }
}

type Reader = Pick<SqlSession, 'query'>;
type Installed = Omit<FunctionSet, 'sql'>;

/** The existence is checked first, because "if not exists" needs the right to create. */
async function hasRecords(session: Reader): Promise<boolean> {
  const { rows } = await session.query<{ exists: boolean }>(
    `select to_regclass('schema_change') is not null as exists`,
  );
  return rows[0]?.exists ?? false;
}

/** Other roles may only read the tables: a migration drops the functions that they name. */
async function createRecords(session: SqlSession): Promise<void> {
  await session.exec(`
    create table schema_change (
      name text primary key, hash text not null, applied_at timestamptz not null default now());
    create table schema_functions (
      is_only_row boolean primary key default true check (is_only_row),
      version integer not null, hash text not null, names text[] not null);
    do $$
    declare
      other regrole;
    begin
      for other in
        select distinct acl.grantee from pg_class, aclexplode(relacl) acl
        where oid = 'schema_change'::regclass and acl.grantee not in (0, relowner)
      loop
        execute format(
          'revoke insert, update, delete on schema_change, schema_functions from %s', other);
      end loop;
    end $$`);
}

async function assertOwner(session: SqlSession): Promise<void> {
  const { rows } = await session.query<{ is_owner: boolean }>(
    `select pg_has_role(relowner, 'usage') as is_owner from pg_class
     where oid = 'schema_change'::regclass`,
  );
  if (!rows[0]?.is_owner)
    throw new StartupError(
      'The database is older than this program, and the user of DATABASE_URL may not change it: ' +
        'run ./waitlist migrate as its owner.',
    );
}

async function findPending(
  session: Reader,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const { rows } = await session.query<{ name: string; hash: string }>(
    'select name, hash from schema_change',
  );
  const applied = new Map(rows.map((row) => [row.name, row.hash]));
  const isMerged = applied.has(LAST_MERGED);
  for (const [name, hash] of applied) {
    if (isMerged && name <= LAST_MERGED) continue;
    const change = changes.find((known) => known.name === name);
    if (change === undefined) throw newerDatabase(`it has ${name}`);
    if (change.hash !== hash)
      throw new StartupError(
        `The schema change ${name} was edited after this database applied it: restore the file.`,
      );
  }
  return changes.filter(({ name }) => !applied.has(name) && !(isMerged && name === BASELINE));
}

async function readInstalled(session: Reader): Promise<Installed | null> {
  const { rows } = await session.query<Installed>(
    'select version, hash, names from schema_functions',
  );
  return rows[0] ?? null;
}

/** The version decides, because a hash cannot say which set is newer. */
function isCurrent(installed: Installed | null, own: FunctionSet): boolean {
  if (installed === null || installed.version < own.version) return false;
  if (installed.version > own.version)
    throw newerDatabase(
      `its functions are version ${installed.version}, this program's ${own.version}`,
    );
  if (installed.hash !== own.hash)
    throw new StartupError(
      `The SQL functions differ from the database's version ${own.version}: ` +
        'raise functions/VERSION.',
    );
  return true;
}

function newerDatabase(why: string): StartupError {
  return new StartupError(
    `The database is newer than this program (${why}): start the newer program.`,
  );
}

/** Tables are locked first, in the order of joins and reads, before triggers are replaced. */
async function lockLine(session: SqlSession): Promise<void> {
  await session.exec(`do $$ begin
    if to_regclass('line_state') is not null then lock table line_state; end if;
  end $$`);
}

/**
 * All functions and triggers are dropped, because `create or replace` cannot change a signature.
 */
async function dropFunctions(session: SqlSession, names: readonly string[]): Promise<void> {
  const { rows } = await session.query<{ drop: string }>(
    `select format('drop routine if exists %s cascade', oid::regprocedure) as drop from pg_proc
     where pronamespace = current_schema()::regnamespace and proname = any($1)
     union all
     select format('drop type if exists %I cascade', typname) from pg_type
     where typnamespace = current_schema()::regnamespace and typname = any($1)`,
    [names],
  );
  for (const { drop } of rows) await session.exec(drop);
}

async function applyChanges(session: SqlSession, changes: readonly Change[]): Promise<void> {
  for (const { name, sql, hash } of changes) {
    await session.exec(sql);
    await session.query('insert into schema_change (name, hash) values ($1, $2)', [name, hash]);
  }
}

async function createFunctions(session: SqlSession, set: FunctionSet): Promise<void> {
  // Files are in order of their names, so a function may use a later one.
  await session.exec('set local check_function_bodies = off');
  await session.exec(set.sql);
  await session.query(
    `insert into schema_functions (version, hash, names) values ($1, $2, $3)
     on conflict (is_only_row) do update set
       version = excluded.version, hash = excluded.hash, names = excluded.names`,
    [set.version, set.hash, set.names],
  );
}
