import type { Config } from '../config.ts';
import { openDatabase } from '../db/open.ts';
import { readSecretKey } from '../mail/secret-key.ts';
import { writeBackup } from './write-backup.ts';

/** Migrates nothing, because operators back up before an update. */
export async function* takeOfflineBackup(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>,
): AsyncGenerator<Buffer> {
  const { dataDir, databaseUrl } = config;
  const database = await openDatabase({
    dataDir,
    databaseUrl,
    log: () => {},
    skipMigrations: true,
  });
  try {
    yield* writeBackup(database, await readSecretKey(config, database));
  } finally {
    await database.close();
  }
}
