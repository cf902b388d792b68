/** A random secret that is made at the first start and kept in the data folder, readable by its owner alone. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartupError } from './startup-error.ts';

const SECRET_BYTES = 32;
/** Those made here, and whatever may be set instead of them. */
const SECRET = /^.{32,}$/;

/** Makes it where there is none. Throws a StartupError when others may read the file, or when it holds no secret. */
export async function loadSecretFile(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await makeOnce(path, randomBytes(SECRET_BYTES).toString('base64url'));
  return readSecretFile(path);
}

/** The secret of a server that has been started before. */
export async function readSecretFile(path: string): Promise<string> {
  const { mode } = await stat(path);
  const isShared = process.platform !== 'win32' && (mode & 0o077) !== 0;
  if (isShared) throw new StartupError(`${path} can be read by others. Run: chmod 600 "${path}"`);
  const secret = (await readFile(path, 'utf8')).trim();
  if (SECRET.test(secret)) return secret;
  throw new StartupError(`${path} does not hold a secret. Delete it and start again to have a new one made.`);
}

/** Keeps a secret that was made elsewhere, unless there is one already. */
export async function keepSecretFile(path: string, secret: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await makeOnce(path, secret);
}

/**
 * Written aside and linked into place: another process never sees half a secret, and the first one wins. On the disk before it is used:
 * a power cut would leave an empty file, and the database would go on asking for the secret that was in it.
 */
async function makeOnce(path: string, secret: string): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    if (await exists(path)) return;
    await writeFile(draft, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Makes the names in it durable. Windows has no such call and needs none. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
