import type { Config } from '../config.ts';
import { openDatabase } from '../db/open.ts';
import { readSecretKey } from '../mail/secret-key.ts';
import { sealBackup } from './backup-file.ts';
import { writeBackup } from './write-backup.ts';

/**
 * The bytes of a backup of the database of the settings, which no server needs to run for; on PostgreSQL some may. The database is left
 * as it is, also when this program is newer: a backup is what one makes before. Throws StartupError and BackupError.
 */
export async function* takeStoppedBackup(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>,
): AsyncGenerator<Buffer> {
  const { dataDir, databaseUrl } = config;
  const database = await openDatabase({ dataDir, databaseUrl, log: () => {}, asItIs: true });
  try {
    const secretKey = await readSecretKey(config, database);
    yield* sealBackup(writeBackup(database, { secretKey, now: new Date() }));
  } finally {
    await database.close();
  }
}
