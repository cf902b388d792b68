/** A backup of the database that is open here. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyEmbedded, NoSpaceForCopy, removeCopy } from '../db/copy-embedded.ts';
import type { Database } from '../db/database.ts';
import { BackupError } from './backup-error.ts';
import { sealBackup } from './backup-file.ts';
import { writeBackup } from './write-backup.ts';

export type BackupOptions = { readonly dataDir: string; readonly secretKey: string };

/** What `write-copy-main.ts` is told by its parent, not on its command line, where everybody can read. */
export type CopyTask = { readonly copyDir: string; readonly end: string; readonly secretKey: string };

/**
 * The bytes of a backup, while visitors go on. PostgreSQL shows one moment to a long transaction; the embedded engine has one
 * connection, so there a copy is read, by another process. One at a time. Throws BackupError.
 */
export async function* takeBackup(database: Database, { dataDir, secretKey }: BackupOptions): AsyncGenerator<Buffer> {
  if (database.engine === 'postgres') {
    yield* sealBackup(writeBackup(database, { secretKey, now: new Date() }));
    return;
  }
  const copyDir = copyFolder(dataDir);
  try {
    const end = await copyOrExplain(database, dataDir, copyDir);
    yield* readCopy({ copyDir, end, secretKey });
  } finally {
    await removeCopy(copyDir);
  }
}

/** Deletes the copy of a backup that was cut off by the end of its server. */
export async function removeForgottenCopy(dataDir: string): Promise<void> {
  await removeCopy(copyFolder(dataDir));
}

async function copyOrExplain(database: Database, dataDir: string, copyDir: string): Promise<string> {
  try {
    await removeCopy(copyDir);
    return await copyEmbedded(database, { dataDir, targetDir: copyDir });
  } catch (error) {
    if (!(error instanceof NoSpaceForCopy)) throw error;
    const megabytes = Math.ceil(error.neededBytes / 1e6);
    throw new BackupError(
      `A backup needs ${megabytes} MB free on the disk of ${dataDir}, for a copy that is then deleted.`,
    );
  }
}

async function* readCopy(task: CopyTask): AsyncGenerator<Buffer> {
  const program = fileURLToPath(new URL('write-copy-main.ts', import.meta.url));
  const child = fork(program, { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const closed = once(child, 'close') as Promise<[number | null]>;
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  try {
    child.send(task);
    for await (const bytes of child.stdout ?? []) yield bytes as Buffer;
    const [code] = await closed;
    if (code !== 0) throw new Error(`The copy of the database could not be read: ${said.trim() || `exit ${code}`}`);
  } finally {
    child.kill('SIGKILL');
    await closed;
  }
}

function copyFolder(dataDir: string): string {
  return join(dataDir, 'backup.unfinished');
}
