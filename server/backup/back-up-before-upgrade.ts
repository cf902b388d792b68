/** An older program refuses a newer database, so going back needs the line as it was. */
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { loadSecretKey, readSecretKey } from '../mail/secret-key.ts';
import { makeFolder } from '../make-folder.ts';
import { reasonOf, StartupError } from '../startup-error.ts';
import { saveBackup } from './save-backup.ts';
import { readSizeBytes } from './store.ts';
import { writeBackup } from './write-backup.ts';

/**
 * Returns what going back needs. On the embedded engine there is no upgrade without the backup:
 * throws StartupError. PostgreSQL may be larger than the disk of a server, and has its own backups.
 */
export async function backUpBeforeUpgrade(
  config: Pick<Config, 'dataDir' | 'secretKey'>,
  database: Database,
): Promise<string> {
  const isEmbedded = database.engine === 'embedded';
  const path = join(config.dataDir, 'before-upgrade.backup');
  try {
    const key = await (isEmbedded ? loadSecretKey : readSecretKey)(config, database);
    makeFolder(config.dataDir, 0o700);
    await assertRoom(config.dataDir, database);
    const { takenAt } = await saveBackup(path, () => writeBackup(database, key));
    return `the backup of ${takenAt}, ${path}, and the keys of a shop entered again`;
  } catch (error) {
    const unwritten = `${path} could not be written: ${reasonOf(error).replace(/\.$/, '')}`;
    if (!isEmbedded) return `a backup from before that (${unwritten})`;
    throw new StartupError(
      `This program has to change the database, and backs it up before: ${unwritten}. ` +
        'Nothing was changed.',
      { cause: error },
    );
  }
}

/** Compressed rows take less than their tables. */
async function assertRoom(dataDir: string, database: Database): Promise<void> {
  const bytes = await readSizeBytes(database);
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < bytes) throw new Error(`it needs ${Math.ceil(bytes / 1e6)} MB free`);
}
