/** A backup of the database that a running server has open. */
import { fileURLToPath } from 'node:url';
import type { Database } from '../db/database.ts';
import { readCopy } from './embedded-copy.ts';
import { writeBackup } from './write-backup.ts';

export type BackupTask = { readonly secretKey: string };

/**
 * The bytes of a backup, while visitors go on: PostgreSQL keeps a snapshot for a long transaction,
 * and of the embedded database a copy is read. Throws BackupError.
 */
export function takeOnlineBackup(
  database: Database,
  { dataDir, secretKey }: { readonly dataDir: string; readonly secretKey: string },
): AsyncGenerator<Buffer> {
  if (database.engine === 'postgres') return writeBackup(database, secretKey);
  const program = fileURLToPath(new URL('write-backup-main.ts', import.meta.url));
  return readCopy<BackupTask>(database, { dataDir, program, task: { secretKey } });
}
