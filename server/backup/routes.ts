/** The operator's backup of a running server. */
import { Readable } from 'node:stream';
import { operatorPaths } from '../../contract/operator.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import { Problem } from '../problem.ts';
import { BackupError } from './backup-error.ts';
import { removeForgottenCopy, takeBackup } from './take-backup.ts';

type BackupRouteOptions = { readonly database: Database; readonly dataDir: string; readonly secretKey: string };

/** On a server whose routes all need the operator's token. */
export function addBackupRoutes(server: HttpServer, { database, ...options }: BackupRouteOptions): void {
  let isRunning = false;
  let answer: Readable | null = null;

  async function* takeAlone(): AsyncGenerator<Buffer> {
    try {
      yield* takeBackup(database, options);
    } catch (error) {
      if (error instanceof BackupError) throw new Problem('unavailable', error.message, { cause: error });
      throw error;
    } finally {
      isRunning = false;
      answer = null;
    }
  }

  server.addHook('onReady', () => removeForgottenCopy(options.dataDir));
  // A backup may take minutes, and a server that stops has seconds: whoever reads it sees that it is not whole.
  server.addHook('preClose', async () => void answer?.destroy());
  server.get(operatorPaths.backup, { schema: { hide: true } }, async (request, reply) => {
    if (isRunning) throw new Problem('conflict', 'A backup is being made already: try again when it is done.');
    isRunning = true;
    // Copying a large database takes longer than a silent connection is otherwise kept.
    request.raw.setTimeout(0);
    const bytes = takeAlone();
    try {
      // Before the answer begins: what cannot be done is then said in words, and not by a connection that breaks.
      const first = await bytes.next();
      const all = first.done ? bytes : startingWith(first.value, bytes);
      answer = Readable.from(all, { objectMode: false });
      return reply.type('application/octet-stream').send(answer);
    } catch (error) {
      isRunning = false;
      throw error;
    }
  });
}

/** No generator: one that is ended before it began would not end `rest`. */
function startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncIterableIterator<Buffer> {
  let isFirst = true;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (!isFirst) return rest.next();
      isFirst = false;
      return { done: false, value: first };
    },
    return: () => rest.return(undefined),
    throw: (error) => rest.throw(error),
  };
}
