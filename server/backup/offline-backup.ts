import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open.ts';
import { hasRecords } from '../db/schema/migrate.ts';
import { readSecretKey } from '../mail/secret-key.ts';
import { BackupError } from './backup-file.ts';
import { writeBackup } from './write-backup.ts';

type Settings = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>;

/** Migrates nothing, because operators back up before an update. Throws FolderInUse. */
export async function takeOfflineBackup(config: Settings): Promise<AsyncGenerator<Buffer>> {
  const database = await openDatabase({ ...config, log: () => {}, skipMigrations: true });
  return writeAndClose(database, config);
}

async function* writeAndClose(database: Database, config: Settings): AsyncGenerator<Buffer> {
  try {
    if (!(await hasRecords(database.runSql)))
      throw new BackupError('There is no waitlist in this database.');
    yield* writeBackup(database, await readSecretKey(config, database));
  } finally {
    await database.close();
  }
}
