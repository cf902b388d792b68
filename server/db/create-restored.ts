import { existsSync } from 'node:fs';
import { StartupError } from '../startup-error.ts';
import { createUnfinished, embeddedFolder, finishEmbedded } from './embedded/create-embedded.ts';
import { fillEmbedded } from './embedded/embedded.ts';
import { ensureFolder, lockFolder } from './embedded/folder-lock.ts';
import { markEmbedded, markInPostgres } from './line-place.ts';
import { fillPostgres } from './postgres/postgres.ts';
import type { SqlSession } from './schema/migrate.ts';

type FillOptions<T> = {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** Gets progress messages for the operator. */
  readonly log: (line: string) => void;
  /** Runs in one transaction, on a database that holds nothing but the queue's own tables. */
  readonly fill: (session: SqlSession) => Promise<T>;
};

/**
 * Creates the database of the settings from what `fill` inserts. An interruption leaves nothing
 * that a server would take for a database. A success makes servers refuse the folder's other
 * database. Throws StartupError when there is a database already, or a server runs on the folder.
 */
export async function createRestoredDatabase<T>({
  dataDir,
  databaseUrl,
  log,
  fill,
}: FillOptions<T>): Promise<T> {
  ensureFolder(dataDir);
  const lock = lockFolder(dataDir);
  try {
    if (databaseUrl !== null) {
      const restored = await fillPostgres(databaseUrl, fill);
      markInPostgres(dataDir);
      return restored;
    }
    if (existsSync(embeddedFolder(dataDir)))
      throw new StartupError(
        `There is a database in ${dataDir} already: use an empty data folder.`,
      );
    const unfinishedDir = await createUnfinished(dataDir, log);
    const restored = await fillEmbedded(unfinishedDir, fill);
    finishEmbedded(unfinishedDir, dataDir);
    markEmbedded(dataDir);
    return restored;
  } finally {
    lock.release();
  }
}
