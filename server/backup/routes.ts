/** The operator's backup of a running server. */
import { Readable } from 'node:stream';
import { operatorPaths } from '../../contract/operator.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import { Problem } from '../problem.ts';
import { BackupError } from './backup-file.ts';
import { type BackupOptions, removeCopy, takeOnlineBackup } from './online-backup.ts';

/** For a server that asks for the operator's token on every route. */
export function addBackupRoutes(
  server: HttpServer,
  { database, ...options }: BackupOptions & { readonly database: Database },
): void {
  let isRunning = false;
  let answer: Readable | undefined;

  /** Yields an empty buffer once the first bytes are there. */
  async function* takeAlone(): AsyncGenerator<Buffer> {
    if (isRunning)
      throw new Problem('conflict', 'Another backup is running: try again when it is done.');
    isRunning = true;
    let isStarted = false;
    try {
      for await (const bytes of takeOnlineBackup(database, options)) {
        if (!isStarted) yield Buffer.alloc(0);
        isStarted = true;
        yield bytes;
      }
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      throw new Problem('unavailable', error.message, { cause: error });
    } finally {
      isRunning = false;
    }
  }

  server.addHook('onReady', () => removeCopy(options.dataDir));
  // A backup may take minutes, a stopping server has seconds. The client sees an incomplete answer.
  server.addHook('preClose', async () => void answer?.destroy());
  server.get(operatorPaths.backup, { schema: { hide: true } }, async (request, reply) => {
    // Copying a large database takes longer than a silent connection is usually kept.
    request.raw.setTimeout(0);
    const backup = takeAlone();
    // Before the answer begins, so that a failure is an error message, not a broken connection.
    await backup.next();
    answer = Readable.from(backup, { objectMode: false });
    return reply.type('application/octet-stream').send(answer);
  });
}
