import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../../startup-error.ts';
import { syncPath } from './durable-file-system.ts';

const UNFINISHED = 'database.unfinished-';

export async function ensureEmbedded(
  dataDir: string,
  log: (line: string) => void,
): Promise<string> {
  const databaseDir = embeddedFolder(dataDir);
  if (!existsSync(databaseDir)) await createEmbedded(dataDir, { log, fill: async () => {} });
  return databaseDir;
}

export function embeddedFolder(dataDir: string): string {
  return join(dataDir, 'database');
}

type Creation<T> = {
  readonly log: (line: string) => void;
  readonly fill: (databaseDir: string) => Promise<T>;
};

/** Works under a temporary name, so that a crash leaves nothing that looks finished. */
export async function createEmbedded<T>(dataDir: string, { log, fill }: Creation<T>): Promise<T> {
  // The child process of a killed server may write a moment longer.
  for (const name of readdirSync(dataDir))
    if (name.startsWith(UNFINISHED)) removeFolder(join(dataDir, name));

  log('Creating the database, once; this takes a few seconds.');
  const unfinishedDir = join(dataDir, UNFINISHED + process.pid);
  mkdirSync(unfinishedDir, { mode: 0o700 });
  try {
    await createInChild(unfinishedDir);
    const filled = await fill(unfinishedDir);
    renameSync(unfinishedDir, embeddedFolder(dataDir));
    syncPath(dataDir);
    return filled;
  } catch (error) {
    removeFolder(unfinishedDir);
    throw error;
  }
}

function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

/** Creating takes 500 MB more than opening. */
function createInChild(unfinishedDir: string): Promise<void> {
  const program = fileURLToPath(new URL('./create-embedded-main.ts', import.meta.url));
  const child = fork(program, [unfinishedDir], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve();
      const reason = errorOutput.trim() || `exit ${code}`;
      reject(new StartupError(`The embedded database could not be created: ${reason}`));
    });
  });
}
