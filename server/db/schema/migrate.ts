import { codeOf, reasonOf, StartupError } from '../../startup-error.ts';
import type { RunSql, Upgrade } from '../database.ts';
import {
  BASELINE,
  type Change,
  type FunctionSet,
  isMerged,
  MERGED_CHANGES,
  readSchema,
  type Schema,
} from './read-schema.ts';

const MIGRATION_LOCK = 7_402_114_390;
const ALREADY_EXISTS = '42P07';
/** Since this change every line counts by points. */
const POINTS_ALONE = '0044-points-alone';
/** Since this change friends count by whether they have confirmed. */
const FRIENDS_WHO_CONFIRM = '0045-friends-who-confirm';

/** The way that every program leaves open to a line that no newer one reads. */
export const EXPORT_AND_IMPORT =
  'start it with its own program, write the members to a file (npm run waitlist -- export ' +
  '--format csv --output members.csv), and import that into a new line of this program, in ' +
  'another DATA_DIR or an empty database (./waitlist import members.csv --may-mail).';

/** One transaction; other servers wait. Throws StartupError for a newer or foreign database. */
export async function migrate(runSql: RunSql, schema: Schema = readSchema()): Promise<void> {
  await inLockedTransaction(runSql, () => migrateWithin(runSql, schema));
}

/** The caller holds the migration lock or the only connection. */
export async function migrateWithin(runSql: RunSql, schema = readSchema()): Promise<void> {
  const isNew = !(await hasRecords(runSql));
  if (isNew) await createRecords(runSql);
  else if ((await findUpgrade(runSql, schema)) === null) return;
  const pending = await findPending(runSql, schema);
  const installed = await readInstalled(runSql);
  await lockLine(runSql);
  // Changes run without functions and triggers, which may not fit half-changed tables.
  if (installed !== null) await dropFunctions(runSql, installed.names);
  await applyChanges(runSql, pending).catch((error) => {
    if (!isNew || codeOf(error) !== ALREADY_EXISTS) throw error;
    throw new StartupError(
      `The database has tables of another program (${reasonOf(error)}): give this one its own.`,
      { cause: error },
    );
  });
  await createFunctions(runSql, schema.functions);
  // Other friends count since, so the members stand elsewhere.
  if (!isNew && pending.some(({ name }) => name === FRIENDS_WHO_CONFIRM))
    await runSql('select rebuild_line()');
}

/** Returns null for an empty or a current database. Throws StartupError for a foreign one. */
export async function findUpgrade(runSql: RunSql, schema = readSchema()): Promise<Upgrade | null> {
  if (!(await hasRecords(runSql))) return null;
  const pending = await findPending(runSql, schema);
  const installed = await readInstalled(runSql);
  if (pending.length === 0 && isCurrent(installed, schema.functions)) return null;
  await assertOwner(runSql);
  const { rows } = await runSql<{ last: string }>('select max(name) as last from schema_change');
  return {
    from: `${rows[0]?.last} (functions ${installed?.version})`,
    to: `${schema.changes.at(-1)?.name} (functions ${schema.functions.version})`,
  };
}

export async function assertCurrent(runSql: RunSql): Promise<void> {
  if (!(await hasRecords(runSql)))
    throw new StartupError('There is no waitlist in the database: are the settings right?');
  if ((await findUpgrade(runSql)) !== null)
    throw new StartupError('The database is older than this program: start the server first.');
}

export async function createTables(runSql: RunSql, changes: readonly Change[]): Promise<void> {
  await createRecords(runSql);
  await applyChanges(runSql, changes);
}

export async function inLockedTransaction<T>(runSql: RunSql, work: () => Promise<T>): Promise<T> {
  // It is idle while a backup or the queue's own transactions take their time.
  await runSql('set idle_in_transaction_session_timeout = 0');
  await runSql('begin');
  try {
    await runSql('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const result = await work();
    await runSql('commit');
    return result;
  } catch (error) {
    await runSql('rollback').catch(() => {}); // A lost connection has rolled back.
    throw error;
  }
}

type Installed = Omit<FunctionSet, 'sql'>;

/** Throws StartupError for a line of the first programs, whose records had another name. */
export async function hasRecords(runSql: RunSql): Promise<boolean> {
  // "If not exists" would need the right to create.
  const { rows } = await runSql<{ exists: boolean; is_older: boolean }>(
    `select to_regclass('schema_change') is not null as exists,
       to_regclass('schema_migration') is not null and to_regclass('line_state') is not null
         as is_older`,
  );
  if (rows[0]?.exists) return true;
  if (rows[0]?.is_older) throw olderLine();
  return false;
}

function olderLine(): StartupError {
  return new StartupError(
    `The database has a line from before the first release of this program: ${EXPORT_AND_IMPORT}`,
  );
}

/** Other roles may only read: a migration drops the functions that the tables name. */
async function createRecords(runSql: RunSql): Promise<void> {
  await runSql(`
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

async function assertOwner(runSql: RunSql): Promise<void> {
  const { rows } = await runSql<{ is_owner: boolean }>(
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
  runSql: RunSql,
  { changes, history }: Schema,
): Promise<readonly Change[]> {
  const { rows } = await runSql<{ name: string; hash: string }>(
    'select name, hash from schema_change order by name',
  );
  const merged = rows.filter(({ name }) => isMerged(name));
  const hasBaseline = merged.length >= MERGED_CHANGES;
  if (merged.length > 0 && !hasBaseline) throw olderLine();
  for (const { name, hash } of rows) {
    if (isMerged(name)) continue;
    const change = changes.find((listed) => listed.name === name);
    if (change === undefined) throw newerDatabase(`it has ${name}`);
    if (change.hash !== hash && !history.includes(`${name} ${hash}`))
      throw new StartupError(
        `The database was made by a program with another ${name} than this one: ` +
          'start that program, or restore a backup of the line with this one.',
      );
  }
  const applied = new Set([...rows.map(({ name }) => name), ...(hasBaseline ? [BASELINE] : [])]);
  const pending = changes.filter(({ name }) => !applied.has(name));
  if (rows.length > 0 && pending.some(({ name }) => name === POINTS_ALONE))
    await assertPoints(runSql);
  return pending;
}

async function assertPoints(runSql: RunSql): Promise<void> {
  const { rows } = await runSql<{ rule: string }>(
    `select rule from line_state where rule <> 'points'`,
  );
  if (rows[0] !== undefined)
    throw new StartupError(
      `The line is ordered by the rule "${rows[0].rule}", which this program does not have: ` +
        EXPORT_AND_IMPORT,
    );
}

async function readInstalled(runSql: RunSql): Promise<Installed | null> {
  const { rows } = await runSql<Installed>('select version, hash, names from schema_functions');
  return rows[0] ?? null;
}

/** The version decides, because a hash cannot say which set is newer. */
function isCurrent(installed: Installed | null, own: FunctionSet): boolean {
  if (installed === null) return false;
  if (installed.version > own.version)
    throw newerDatabase(
      `its functions are version ${installed.version}, this program's ${own.version}`,
    );
  return installed.version === own.version && installed.hash === own.hash;
}

function newerDatabase(why: string): StartupError {
  return new StartupError(
    `The database is newer than this program (${why}): start the newer program.`,
  );
}

/** Joins lock this table first, too. */
async function lockLine(runSql: RunSql): Promise<void> {
  await runSql(`do $$ begin
    if to_regclass('line_state') is not null then lock table line_state; end if;
  end $$`);
}

/** `create or replace` cannot change a signature. */
async function dropFunctions(runSql: RunSql, names: readonly string[]): Promise<void> {
  const { rows } = await runSql<{ drop: string }>(
    `select format('drop routine if exists %s cascade', oid::regprocedure) as drop from pg_proc
     where pronamespace = current_schema()::regnamespace and proname = any($1)
     union all
     select format('drop type if exists %I cascade', typname) from pg_type
     where typnamespace = current_schema()::regnamespace and typname = any($1)`,
    [names],
  );
  for (const { drop } of rows) await runSql(drop);
}

async function applyChanges(runSql: RunSql, changes: readonly Change[]): Promise<void> {
  for (const { name, sql, hash } of changes) {
    await runSql(sql);
    await runSql('insert into schema_change (name, hash) values ($1, $2)', [name, hash]);
  }
}

async function createFunctions(runSql: RunSql, set: FunctionSet): Promise<void> {
  // A function may use one of a later file.
  await runSql('set local check_function_bodies = off');
  await runSql(set.sql);
  await runSql(
    `insert into schema_functions (version, hash, names) values ($1, $2, $3)
     on conflict (is_only_row) do update set
       version = excluded.version, hash = excluded.hash, names = excluded.names`,
    [set.version, set.hash, set.names],
  );
}
