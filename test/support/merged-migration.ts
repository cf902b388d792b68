import { MERGED_FORM, migrate, readMigrations, type SqlSession } from '../../server/db/migrate.ts';

/** Leaves an empty database as a program of the hours in which one migration held the next one too. */
export async function migrateToMergedForm(session: SqlSession): Promise<void> {
  const migrations = readMigrations();
  const end = migrations.findIndex(({ name }) => name === MERGED_FORM.name) + 1;
  await migrate(session, migrations.slice(0, end));
  await session.exec(migrations[end]?.sql ?? '');
  await session.query('update schema_migration set hash = $1 where name = $2', [MERGED_FORM.hash, MERGED_FORM.name]);
}
