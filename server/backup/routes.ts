/** The operator's backup of a running server. */
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { OpenDownload } from './downloads.ts';
import { takeOnlineBackup } from './online-backup.ts';

type BackupOptions = {
  readonly database: Database;
  readonly dataDir: string;
  readonly secretKey: string;
  readonly openDownload: OpenDownload;
};

/** For a server that asks for the operator's token on every route. */
export function addBackupRoutes(
  server: HttpServer,
  { database, openDownload, ...options }: BackupOptions,
): void {
  server.get(operatorPaths.backup, { schema: { hide: true } }, async (request, reply) => {
    const backup = await openDownload(request, takeOnlineBackup(database, options));
    return reply.type('application/octet-stream').send(backup);
  });
}
