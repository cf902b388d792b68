/** The operator's backup of a running server. */
import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { ErrorBody } from '../../contract/schemas.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { OpenDownload } from './downloads.ts';
import { recordBackup } from './last-backup.ts';
import { takeOnlineBackup } from './online-backup.ts';

type BackupOptions = {
  readonly database: Database;
  readonly dataDir: string;
  readonly secretKey: string;
  readonly openDownload: OpenDownload;
};

/** For a server that asks on every route who calls. */
export function addBackupRoutes(
  server: HttpServer,
  { database, openDownload, ...options }: BackupOptions,
): void {
  server.get(
    operatorPaths.backup,
    {
      config: { access: 'owner' },
      schema: {
        tags: ['Backups'],
        summary: 'Back up the whole waitlist',
        description: 'One backup or export at a time: 409 while another is running.',
        response: {
          200: {
            content: {
              'application/octet-stream': { schema: Type.Unsafe<Readable>(Type.String()) },
            },
          },
          409: ErrorBody,
          503: ErrorBody,
        },
      },
    },
    async (request, reply) => {
      const bytes = takeRecorded(takeOnlineBackup(database, options), options.dataDir);
      const backup = await openDownload(request, bytes);
      return reply.type('application/octet-stream').send(backup);
    },
  );
}

/** Remembers whether the backup was read to its end, for the overview and the metrics. */
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
