/** The operator's bearer token: made at the first start, kept in the data folder, readable by its owner alone. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../startup-error.ts';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** Throws a StartupError when others may read the file, or when it holds no token. */
export async function loadOperatorToken(dataDir: string): Promise<string> {
  const path = operatorTokenPath(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await makeTokenOnce(path);
  return readOperatorToken(dataDir);
}

/** The token of a server that has been started before. */
export async function readOperatorToken(dataDir: string): Promise<string> {
  const path = operatorTokenPath(dataDir);
  const { mode } = await stat(path);
  const isShared = process.platform !== 'win32' && (mode & 0o077) !== 0;
  if (isShared) throw new StartupError(`${path} can be read by others. Run: chmod 600 "${path}"`);
  const token = (await readFile(path, 'utf8')).trim();
  if (TOKEN.test(token)) return token;
  throw new StartupError(`${path} does not hold an operator token. Delete it and start again to have a new one made.`);
}

function operatorTokenPath(dataDir: string): string {
  return join(dataDir, 'operator-token');
}

/** Written aside and linked into place: another process never sees half a token, and the first one wins. */
async function makeTokenOnce(path: string): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    if (await exists(path)) return;
    await writeFile(draft, `${randomBytes(TOKEN_BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
