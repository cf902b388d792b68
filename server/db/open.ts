import { existsSync } from 'node:fs';
import { StartupError } from '../startup-error.ts';
import type { Database, EngineOptions } from './database.ts';
import { embeddedFolder, ensureEmbedded } from './embedded/create-embedded.ts';
import { openEmbedded } from './embedded/embedded.ts';
import { vacuumLargeTables } from './embedded/embedded-upkeep.ts';
import { findWriteFault } from './embedded/find-write-fault.ts';
import { ensureFolder, lockFolder } from './embedded/folder-lock.ts';
import { assertLineIsEmbedded, assertLineIsInPostgres, markInPostgres } from './line-place.ts';
import { openPostgres } from './postgres/postgres.ts';

type OpenOptions = {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly log: (line: string) => void;
  readonly isServer?: boolean;
  /** Keeps the line as it is before an upgrade. Returns what going back then needs. */
  readonly backUp?: (database: Database) => Promise<string>;
} & Pick<EngineOptions, 'outages' | 'skipMigrations'>;

/** Logs an upgrade. Throws StartupError. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { log, backUp, databaseUrl } = options;
  const engine = databaseUrl === null ? 'embedded' : 'postgres';
  let brought: string | null = null;
  const database = await openLine(options, {
    ...options,
    async beforeUpgrade({ from, to }, opened) {
      if (backUp !== undefined) log('Backing up the database before it is upgraded.');
      const wayBack = (await backUp?.({ ...opened, engine })) ?? 'a backup from before it';
      brought = `Brought the database from ${from} to ${to}; going back needs ${wayBack}.`;
    },
  });
  if (brought !== null) log(brought);
  return database;
}

async function openLine(options: OpenOptions, engine: EngineOptions): Promise<Database> {
  const { dataDir, databaseUrl, log, skipMigrations, isServer = false } = options;
  if (databaseUrl === null) {
    assertLineIsEmbedded(dataDir);
    if (skipMigrations && !existsSync(embeddedFolder(dataDir)))
      throw new StartupError(`There is no database in ${dataDir}.`);
    return await openLocked(dataDir, async () => {
      const databaseDir = await ensureEmbedded(dataDir, log);
      const opened = await openEmbedded(databaseDir, engine);
      const database: Database = { ...opened, engine: 'embedded' };
      if (isServer)
        await vacuumLargeTables(database).catch((error: Error) =>
          log(`The tables could not be vacuumed before the start: ${error.message}`),
        );
      return database;
    });
  }
  const open = async (): Promise<Database> => ({
    ...(await openPostgres(databaseUrl, engine)),
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
    // Engine and child processes report a full disk in many words.
    throw (await findWriteFault(dataDir)) ?? error;
  }
}
