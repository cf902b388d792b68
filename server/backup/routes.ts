import { fileURLToPath } from 'node:url';
import { addCall } from '../access/add-call.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { Platform } from '../module.ts';
import type { OpenDownload } from './downloads.ts';
import { readCopy } from './embedded-copy.ts';
import { recordBackup } from './last-backup.ts';
import { type BackupTask, writeBackup } from './write-backup.ts';

export function addBackupRoutes(
  server: HttpServer,
  platform: Platform,
  openDownload: OpenDownload,
): void {
  addCall(server, 'GET backup', async (request, reply) => {
    const bytes = takeRecorded(takeBackup(platform), platform.config.dataDir);
    const backup = await openDownload(request, bytes);
    return reply.type('application/octet-stream').send(backup);
  });
}

/** PostgreSQL keeps a snapshot for a long transaction; the embedded engine needs a copy. */
function takeBackup({ config, database, secretKey }: Platform): AsyncGenerator<Buffer> {
  if (database.engine === 'postgres') return writeBackup(database, secretKey);
  const program = fileURLToPath(new URL('write-backup-main.ts', import.meta.url));
  const { dataDir } = config;
  return readCopy<BackupTask>(database, { dataDir, program, task: { secretKey } });
}

async function* takeRecorded(
  bytes: AsyncIterable<Buffer>,
  dataDir: string,
): AsyncGenerator<Buffer> {
  let isSuccess = false;
  try {
    yield* bytes;
    isSuccess = true;
  } finally {
    // A folder that cannot be written must not break the backup itself.
    await recordBackup(dataDir, { isSuccess }).catch(() => {});
  }
}
