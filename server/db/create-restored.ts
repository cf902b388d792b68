import { existsSync } from 'node:fs';
import { StartupError } from '../startup-error.ts';
import type { RunSql } from './database.ts';
import { createEmbedded, embeddedFolder } from './embedded/create-embedded.ts';
import { fillEmbedded } from './embedded/embedded.ts';
import { ensureFolder, lockFolder } from './embedded/folder-lock.ts';
import { markEmbedded, markInPostgres } from './line-place.ts';
import { fillPostgres } from './postgres/postgres.ts';

type FillOptions<T> = {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly log: (line: string) => void;
  readonly fill: (runSql: RunSql) => Promise<T>;
};

/** An interruption leaves nothing that a server would open. Throws StartupError. */
export async function createRestoredDatabase<T>(options: FillOptions<T>): Promise<T> {
  const { dataDir, databaseUrl, log, fill } = options;
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
    const restored = await createEmbedded(dataDir, {
      log,
      fill: (databaseDir) => fillEmbedded(databaseDir, fill),
    });
    markEmbedded(dataDir);
    return restored;
  } finally {
    lock.release();
  }
}
