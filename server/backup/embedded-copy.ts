/** The engine has one connection, so another process reads a copy (decision 0016). */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../db/database.ts';
import { NoSpaceForCopy, openBaseBackup, takeBaseBackup } from '../db/embedded/base-backup.ts';
import { limitMemory } from '../db/embedded/low-memory-wasm.ts';
import { BackupError } from './backup-file.ts';

/** Sent by IPC, not on the command line, where other users could read it. */
type Message<Task> = {
  readonly copyDir: string;
  readonly position: string;
  readonly task: Task;
};

type ReadOptions<Task> = {
  readonly dataDir: string;
  readonly program: string;
  readonly task: Task;
};

export async function* readCopy<Task>(
  database: Database,
  { dataDir, program, task }: ReadOptions<Task>,
): AsyncGenerator<Buffer> {
  try {
    await removeCopy(dataDir);
    const copyDir = copyFolder(dataDir);
    const position = await takeBaseBackup(database, { dataDir, targetDir: copyDir });
    yield* runProgram(program, { copyDir, position, task });
  } catch (error) {
    throw error instanceof NoSpaceForCopy ? new BackupError(error.message) : error;
  } finally {
    await removeCopy(dataDir);
  }
}

export async function removeCopy(dataDir: string): Promise<void> {
  await rm(copyFolder(dataDir), { recursive: true, force: true });
}

export async function writeFromCopy<Task>(
  write: (copy: Database, task: Task) => AsyncIterable<Buffer | string>,
): Promise<never> {
  process.on('disconnect', () => process.exit(1));
  // The server needs its memory, and reading once does not repay optimising.
  limitMemory();
  const [message] = (await once(process, 'message')) as [Message<Task>];
  const copy = await openBaseBackup(message.copyDir, message.position);
  await pipeline(write(copy, message.task), process.stdout);
  process.exit(0);
}

async function* runProgram<Task>(program: string, message: Message<Task>): AsyncGenerator<Buffer> {
  const child = fork(program, { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const closed = once(child, 'close') as Promise<[number | null]>;
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput += text;
  });
  try {
    child.send(message);
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
