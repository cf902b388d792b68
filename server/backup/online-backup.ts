/** A backup of the database that a running server has open. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '../db/database.ts';
import { NoSpaceForCopy, takeBaseBackup } from '../db/embedded/base-backup.ts';
import { BackupError } from './backup-file.ts';
import { writeBackup } from './write-backup.ts';

export type BackupOptions = { readonly dataDir: string; readonly secretKey: string };

/** Sent by IPC, not on the command line, where other users could read the key. */
export type ReadTask = {
  readonly copyDir: string;
  /** The log position that the copy must reach. */
  readonly position: string;
  readonly secretKey: string;
};

/**
 * The bytes of a backup, while visitors go on: PostgreSQL keeps a snapshot for a long transaction.
 * The embedded engine has one connection, so another process reads a copy. Throws BackupError.
 */
export async function* takeOnlineBackup(
  database: Database,
  { dataDir, secretKey }: BackupOptions,
): AsyncGenerator<Buffer> {
  if (database.engine === 'postgres') {
    yield* writeBackup(database, secretKey);
    return;
  }
  try {
    await removeCopy(dataDir);
    const copyDir = copyFolder(dataDir);
    const position = await takeBaseBackup(database, { dataDir, targetDir: copyDir });
    yield* readCopy({ copyDir, position, secretKey });
  } catch (error) {
    throw error instanceof NoSpaceForCopy ? new BackupError(error.message) : error;
  } finally {
    await removeCopy(dataDir);
  }
}

/** Also deletes what a server that was killed during a backup left behind. */
export async function removeCopy(dataDir: string): Promise<void> {
  await rm(copyFolder(dataDir), { recursive: true, force: true });
}

async function* readCopy(task: ReadTask): AsyncGenerator<Buffer> {
  const program = fileURLToPath(new URL('read-base-backup-main.ts', import.meta.url));
  const child = fork(program, { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const closed = once(child, 'close') as Promise<[number | null]>;
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput += text;
  });
  try {
    child.send(task);
    for await (const bytes of child.stdout ?? []) yield bytes as Buffer;
    const [code] = await closed;
    if (code !== 0)
      throw new Error(
        `The copy of the database could not be read: ${errorOutput.trim() || `exit ${code}`}`,
      );
  } finally {
    child.kill('SIGKILL');
    await closed;
  }
}

function copyFolder(dataDir: string): string {
  return join(dataDir, 'backup.unfinished');
}
