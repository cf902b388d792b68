import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { StartupError } from '../startup-error.ts';
import { embeddedFolder, ensureEmbedded } from './create-embedded.ts';
import type { Database } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { ensureFolder, lockFolder } from './folder-lock.ts';
import { openPostgres } from './postgres.ts';

/**
 * Opens the database of the settings, migrated and ready: PostgreSQL with a URL, the embedded one in the data folder
 * without. `log` gets lines for a person. `asItIs` makes and migrates nothing: for who only reads. Throws StartupError with one sentence when it cannot be opened.
 */
export async function openDatabase(options: {
  dataDir: string;
  databaseUrl: string | null;
  log: (line: string) => void;
  asItIs?: boolean;
}): Promise<Database> {
  const { dataDir, databaseUrl, log, asItIs = false } = options;
  if (databaseUrl !== null) {
    ensureFolder(dataDir);
    return withPing('postgres', await openPostgres(databaseUrl, { log, asItIs }));
  }
  if (asItIs && !existsSync(embeddedFolder(dataDir))) throw new StartupError(`There is no database in ${dataDir}.`);
  ensureFolder(dataDir);
  return await openLocked(dataDir, log, asItIs);
}

async function openLocked(dataDir: string, log: (line: string) => void, asItIs: boolean): Promise<Database> {
  const lock = lockFolder(dataDir);
  try {
    const database = withPing('embedded', await openEmbedded(await ensureEmbedded(dataDir, log), { asItIs }));
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

function withPing(engine: Database['engine'], opened: Pick<Database, 'kysely' | 'runSql' | 'close'>): Database {
  return {
    ...opened,
    engine,
    async ping() {
      await sql`select 1`.execute(opened.kysely);
    },
  };
}
