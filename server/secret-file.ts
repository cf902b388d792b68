import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncPath } from './db/embedded/durable-file-system.ts';
import { ensureFolder } from './db/embedded/folder-lock.ts';
import { codeOf, reasonOf, StartupError } from './startup-error.ts';

const SECRET_BYTES = 32;
const SECRET = /^.{32,}$/;

/** A start creates the file. `advice` is what to do about one that holds no secret. */
export async function loadSecretFile(path: string, advice: string): Promise<string> {
  await keepSecretFile(path, randomBytes(SECRET_BYTES).toString('base64url'));
  return readSecretFile(path, advice);
}

export async function readSecretFile(path: string, advice: string): Promise<string> {
  const { mode, secret } = await readWithMode(path);
  const isShared = process.platform !== 'win32' && (mode & 0o077) !== 0;
  if (isShared)
    throw new StartupError(`Others can read or change ${path}. Run: chmod 600 "${path}"`);
  if (SECRET.test(secret)) return secret;
  throw new StartupError(`${path} does not hold a secret. ${advice}`);
}

async function readWithMode(path: string): Promise<{ mode: number; secret: string }> {
  try {
    const [{ mode }, text] = await Promise.all([stat(path), readFile(path, 'utf8')]);
    return { mode, secret: text.trim() };
  } catch (error) {
    throw new StartupError(`${path} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}

/** Linked into place, so that concurrent starts agree; synced, as the database is bound to it. */
export async function keepSecretFile(path: string, secret: string): Promise<void> {
  const folder = dirname(path);
  ensureFolder(folder);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    if (existsSync(path)) return;
    await writeFile(draft, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, path);
    // Windows needs no sync of a folder.
    if (process.platform !== 'win32') syncPath(folder);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    throw new StartupError(`${path} cannot be made: ${reasonOf(error)}.`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
}
