import { sql } from 'kysely';
import { ensureEmbedded } from './create-embedded.ts';
import type { Database } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { ensureFolder, lockFolder } from './folder-lock.ts';
import { openPostgres } from './postgres.ts';

/**
 * Opens the database of the settings, migrated and ready: PostgreSQL with a URL, the embedded one in the data folder
 * without. `log` gets lines for a person. Throws StartupError with one sentence when it cannot be opened.
 */
export async function openDatabase(options: {
  dataDir: string;
  databaseUrl: string | null;
  log: (line: string) => void;
}): Promise<Database> {
  ensureFolder(options.dataDir);
  return options.databaseUrl === null
    ? await openLocked(options.dataDir, options.log)
    : withPing('postgres', await openPostgres(options.databaseUrl, options.log));
}

async function openLocked(dataDir: string, log: (line: string) => void): Promise<Database> {
  const lock = lockFolder(dataDir);
  try {
    const database = withPing('embedded', await openEmbedded(await ensureEmbedded(dataDir, log)));
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
