import { existsSync } from 'node:fs';
import { StartupError } from '../startup-error.ts';
import { createUnfinished, embeddedFolder, finishEmbedded } from './create-embedded.ts';
import { fillEmbedded } from './embedded.ts';
import { ensureFolder, lockFolder } from './folder-lock.ts';
import type { SqlSession } from './migrate.ts';
import { fillPostgres } from './postgres.ts';

type FillOptions<T> = {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** Gets lines for a person. */
  readonly log: (line: string) => void;
  /** Works in one transaction, on a database with nothing in it but the queue's own tables. */
  readonly fill: (session: SqlSession) => Promise<T>;
};

/**
 * Makes the database of the settings of what `fill` puts in: all of it or, however this is interrupted, nothing that a server would take
 * for a database. Throws StartupError when there is one already.
 */
export async function createFilledDatabase<T>({ dataDir, databaseUrl, log, fill }: FillOptions<T>): Promise<T> {
  ensureFolder(dataDir);
  if (databaseUrl !== null) return await fillPostgres(databaseUrl, fill);
  const lock = lockFolder(dataDir);
  try {
    if (existsSync(embeddedFolder(dataDir)))
      throw new StartupError(`There is a database in ${dataDir} already: take an empty data folder.`);
    const unfinishedDir = await createUnfinished(dataDir, log);
    const filled = await fillEmbedded(unfinishedDir, fill);
    finishEmbedded(unfinishedDir, dataDir);
    return filled;
  } finally {
    lock.release();
  }
}
