import type { Config } from '../config.ts';
import { openDatabase } from '../db/open.ts';
import { hasRecords } from '../db/schema/migrate.ts';
import { readSecretKey } from '../mail/secret-key.ts';
import { BackupError } from './backup-file.ts';
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
    if (!(await hasRecords(database.runSql)))
      throw new BackupError('There is no waitlist in this database.');
    yield* writeBackup(database, await readSecretKey(config, database));
  } finally {
    await database.close();
  }
}
