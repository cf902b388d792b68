import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpServer } from '../http/http-server.ts';
import { conflict, Problem } from '../problem.ts';
import { BackupError } from './backup-file.ts';
import { removeCopy } from './embedded-copy.ts';

/** Time to copy a large database before the first byte, and for a client that has stopped. */
const MAX_SILENCE_MS = 10 * 60_000;

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

export function nameFile(reply: FastifyReply, name: string, type: string): void {
  reply.type(type).header('content-disposition', `attachment; filename="${name}"`);
}

export type OpenDownload = (
  request: Pick<FastifyRequest, 'raw'>,
  bytes: AsyncIterable<Buffer | string>,
) => Promise<Readable>;

/** One at a time: each holds a PostgreSQL connection, or a copy of the embedded database. */
export function openDownloads(server: HttpServer, dataDir: string): OpenDownload {
  let isRunning = false;
  let answer: Readable | undefined;

  async function* takeAlone(bytes: AsyncIterable<Buffer | string>) {
    if (isRunning)
      throw conflict('Another backup or export is running: try again when it is done.');
    isRunning = true;
    let isStarted = false;
    try {
      for await (const chunk of bytes) {
        if (!isStarted) yield Buffer.alloc(0);
        isStarted = true;
        yield chunk;
      }
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      throw new Problem('unavailable', error.message, { cause: error });
    } finally {
      isRunning = false;
    }
  }

  server.addHook('onReady', () => removeCopy(dataDir));
  // A shutdown has seconds, a download may take minutes: the client sees an incomplete answer.
  server.addHook('preClose', async () => void answer?.destroy());
  return async (request, bytes) => {
    request.raw.socket?.setTimeout?.(MAX_SILENCE_MS);
    const alone = takeAlone(bytes);
    // The first bytes are awaited, so that a failure is an error message, not a broken connection.
    await alone.next();
    // Object mode would read 16 chunks ahead of the client.
    answer = Readable.from(alone, { objectMode: false });
    return answer;
  };
}
