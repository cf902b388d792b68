import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { StartupError } from '../startup-error.ts';
import type { Database } from './database.ts';
import { embeddedFolder, ensureEmbedded } from './embedded/create-embedded.ts';
import { openEmbedded } from './embedded/embedded.ts';
import { ensureFolder, lockFolder } from './embedded/folder-lock.ts';
import { openPostgres } from './postgres/postgres.ts';

/**
 * Opens the database of the settings, up to date: PostgreSQL with a URL, otherwise the embedded one
 * in the data folder. `skipMigrations` is for read-only callers. Throws StartupError, one sentence.
 */
export async function openDatabase(options: {
  dataDir: string;
  databaseUrl: string | null;
  log: (line: string) => void;
  skipMigrations?: boolean;
}): Promise<Database> {
  const { dataDir, databaseUrl, log, skipMigrations = false } = options;
  if (databaseUrl !== null) {
    ensureFolder(dataDir);
    return withPing('postgres', await openPostgres(databaseUrl, { log, skipMigrations }));
  }
  if (skipMigrations && !existsSync(embeddedFolder(dataDir)))
    throw new StartupError(`There is no database in ${dataDir}.`);
  ensureFolder(dataDir);
  return await openLocked(dataDir, log, skipMigrations);
}

async function openLocked(
  dataDir: string,
  log: (line: string) => void,
  skipMigrations: boolean,
): Promise<Database> {
  const lock = lockFolder(dataDir);
  try {
    const database = withPing(
      'embedded',
      await openEmbedded(await ensureEmbedded(dataDir, log), { skipMigrations }),
    );
    return {
      ...database,
      async close() {
        await database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function withPing(
  engine: Database['engine'],
  opened: Pick<Database, 'kysely' | 'runSql' | 'close'>,
): Database {
  return {
    ...opened,
    engine,
    async ping() {
      await sql`select 1`.execute(opened.kysely);
    },
  };
}
