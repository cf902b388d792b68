/** After a move the other database is old, and joins in it would be lost (decision 0016). */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../startup-error.ts';
import { embeddedFolder } from './embedded/create-embedded.ts';
import { syncPath } from './embedded/durable-file-system.ts';

export const IN_POSTGRES = 'line-is-in-postgresql';

const EXPLANATION = `The line of this folder is in PostgreSQL: no server starts without its URL.
Delete this file to use an embedded database in this folder instead.
`;

export function assertLineIsEmbedded(dataDir: string): void {
  const mark = join(dataDir, IN_POSTGRES);
  if (existsSync(mark))
    throw new StartupError(
      `The line of ${dataDir} is in PostgreSQL: set DATABASE_URL, or delete ${mark} to do without.`,
    );
}

export function assertLineIsInPostgres(dataDir: string): void {
  const databaseDir = embeddedFolder(dataDir);
  if (existsSync(databaseDir) && !existsSync(join(dataDir, IN_POSTGRES)))
    throw new StartupError(
      `${databaseDir} has a line of its own, and DATABASE_URL leads to another: move it there ` +
        'by npm run backup and npm run restore, or use another DATA_DIR.',
    );
}

export function markInPostgres(dataDir: string): void {
  writeFileSync(join(dataDir, IN_POSTGRES), EXPLANATION, { mode: 0o600, flush: true });
  syncPath(dataDir);
}

export function markEmbedded(dataDir: string): void {
  rmSync(join(dataDir, IN_POSTGRES), { force: true });
  syncPath(dataDir);
}
