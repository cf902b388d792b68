import { existsSync } from 'node:fs';
import { StartupError } from '../startup-error.ts';
import type { Database } from './database.ts';
import { embeddedFolder, ensureEmbedded } from './embedded/create-embedded.ts';
import { openEmbedded } from './embedded/embedded.ts';
import { ensureFolder, lockFolder } from './embedded/folder-lock.ts';
import { assertLineIsEmbedded, assertLineIsInPostgres, markInPostgres } from './line-place.ts';
import type { OutageReport } from './postgres/outage-watch.ts';
import { openPostgres } from './postgres/postgres.ts';

type OpenOptions = {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly log: (line: string) => void;
  readonly skipMigrations?: boolean;
  /** A server locks its data folder on PostgreSQL too. */
  readonly isServer?: boolean;
  readonly outages?: OutageReport;
};

const NO_REPORT: OutageReport = { onAway() {}, onBack() {} };

export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { dataDir, databaseUrl, log, skipMigrations = false, isServer = false } = options;
  if (databaseUrl === null) {
    assertLineIsEmbedded(dataDir);
    if (skipMigrations && !existsSync(embeddedFolder(dataDir)))
      throw new StartupError(`There is no database in ${dataDir}.`);
    return await openLocked(dataDir, async () => ({
      ...(await openEmbedded(await ensureEmbedded(dataDir, log), { skipMigrations })),
      engine: 'embedded',
    }));
  }
  const { outages = NO_REPORT } = options;
  const open = async (): Promise<Database> => ({
    ...(await openPostgres(databaseUrl, { outages, skipMigrations })),
    engine: 'postgres',
  });
  if (!isServer) return await open();
  return await openLocked(dataDir, async () => {
    assertLineIsInPostgres(dataDir);
    const database = await open();
    markInPostgres(dataDir);
    return database;
  });
}

async function openLocked(dataDir: string, open: () => Promise<Database>): Promise<Database> {
  ensureFolder(dataDir);
  const lock = lockFolder(dataDir);
  try {
    const database = await open();
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
