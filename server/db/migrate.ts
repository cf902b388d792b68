import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { StartupError } from '../startup-error.ts';

/** One SQL file: what it is called, what it says, and a hash by which a later edit is noticed. */
export type Migration = { readonly name: string; readonly sql: string; readonly hash: string };

/** A connection that nobody else uses meanwhile. PGlite is one as it stands. */
export type SqlSession = {
  /** Runs any number of statements without parameters. */
  exec(sql: string): Promise<unknown>;
  query<Row>(sql: string, parameters?: unknown[]): Promise<{ rows: Row[] }>;
};

/**
 * 0009 stood on the main branch for some hours with what 0010 says in it, after it had stood there as it is now. A database that has that
 * form has both.
 */
export const MERGED_FORM = {
  name: '0009-fewer-lookups',
  hash: 'c8d05d443b07011d00fd98e9e0c2cae394ffdf5baf3fcd9349f9c89a302db213',
};

/** Any number will do, as long as every node uses the same one. */
const MIGRATION_LOCK = 7_402_114_390;

/** The SQL files of a folder in the order of their names. Line ends do not count as a change. */
export function readMigrations(folder: URL = new URL('./migrations/', import.meta.url)): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const sql = readFileSync(new URL(encodeURIComponent(file), folder), 'utf8').replaceAll('\r\n', '\n');
      return { name: file.replace(/\.sql$/, ''), sql, hash: createHash('sha256').update(sql).digest('hex') };
    });
}

/**
 * Applies the migrations that the database does not have yet, each in one transaction. Several nodes may start at once: the
 * first one works, the others wait and find nothing to do. Throws StartupError when the database is newer than
 * this code, or has a migration that has been edited since.
 */
export async function migrate(session: SqlSession, migrations: readonly Migration[] = readMigrations()): Promise<void> {
  const pending = await inLockedTransaction(session, () => findPending(session, migrations));
  for (const migration of pending) {
    await inLockedTransaction(session, async () => {
      const stillPending = await findPending(session, migrations);
      if (!stillPending.includes(migration)) return;
      await apply(session, migration);
    });
  }
}

/** Within a transaction: until its end nobody else migrates or fills this database. */
export async function lockMigrations(session: SqlSession): Promise<void> {
  await session.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
}

/** The same as `migrate` within a transaction of the caller's, who keeps others away. */
export async function migrateWithin(session: SqlSession, migrations: readonly Migration[]): Promise<void> {
  for (const migration of await findPending(session, migrations)) await apply(session, migration);
}

/** Whether a database or a backup with that hash has what the migration says. */
export function isFormOf({ name, hash }: Migration, appliedHash: string): boolean {
  return appliedHash === hash || (name === MERGED_FORM.name && appliedHash === MERGED_FORM.hash);
}

async function apply(session: SqlSession, { name, sql, hash }: Migration): Promise<void> {
  await session.exec(sql);
  await session.query('insert into schema_migration (name, hash) values ($1, $2)', [name, hash]);
}

async function findPending(session: SqlSession, migrations: readonly Migration[]): Promise<Migration[]> {
  await session.exec(`create table if not exists schema_migration (
    name text primary key, hash text not null, applied_at timestamptz not null default now())`);
  await splitMergedForm(session, migrations);
  const { rows } = await session.query<{ name: string; hash: string }>('select name, hash from schema_migration');
  const applied = new Map(rows.map((row) => [row.name, row.hash]));
  for (const [name, hash] of applied) {
    const migration = migrations.find((known) => known.name === name);
    if (migration === undefined)
      throw new StartupError(`The database is newer than this program (it has ${name}): start the newer program.`);
    if (migration.hash !== hash)
      throw new StartupError(`The migration ${name} was edited after this database applied it: restore the file.`);
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

async function splitMergedForm(session: SqlSession, migrations: readonly Migration[]): Promise<void> {
  const at = migrations.findIndex(({ name }) => name === MERGED_FORM.name);
  const [own, next] = at < 0 ? [] : migrations.slice(at, at + 2);
  if (own === undefined || next === undefined) return;
  await session.query(
    `with split as (update schema_migration set hash = $1::text where name = $2::text and hash = $3::text returning name)
     insert into schema_migration (name, hash) select $4::text, $5::text from split`,
    [own.hash, MERGED_FORM.name, MERGED_FORM.hash, next.name, next.hash],
  );
}

/** Does `work` while nobody else migrates or fills this database. */
export async function inLockedTransaction<T>(session: SqlSession, work: () => Promise<T>): Promise<T> {
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
