import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../make-folder.ts';
import { codeOf, reasonOf, StartupError } from '../../startup-error.ts';
import { isWritableByOthers } from '../../writable-by-others.ts';
import { embeddedFolder } from './create-embedded.ts';

const SQLITE_BUSY = 5;

/** Another process holds the data folder: a server, or a command of the operator. */
export class FolderInUse extends StartupError {}

/** Garbage collection would release a lock. */
const held = new Set<DatabaseSync>();

/** Throws StartupError when it is unreadable, or writable by other users. */
export function ensureFolder(dataDir: string): void {
  const folders = [dataDir, embeddedFolder(dataDir)];
  try {
    makeFolder(dataDir, 0o700);
    for (const folder of folders.filter((path) => existsSync(path)))
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = codeOf(error) === 'ENOENT' ? 'no folder can be made there' : reasonOf(error);
    throw new StartupError(`The data folder ${dataDir} cannot be used: ${reason}.`, {
      cause: error,
    });
  }
  if (folders.some(isWritableByOthers))
    throw new StartupError(
      `Others can write to the data folder ${dataDir}. Run: chmod -R go-w "${dataDir}"`,
    );
}

/** Node has no lock of the operating system, which is never stale, so SQLite holds it. */
export function lockFolder(dataDir: string): { release(): void } {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(dataDir, 'lock'));
    lock.exec('begin exclusive');
  } catch (error) {
    lock?.close();
    const isTaken = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    if (!isTaken)
      throw new StartupError(`The data folder ${dataDir} cannot be locked: ${reasonOf(error)}.`, {
        cause: error,
      });
    throw new FolderInUse(
      `The data folder ${dataDir} is in use by another running server: stop that one first.`,
      { cause: error },
    );
  }
  const taken = lock;
  held.add(taken);
  return {
    release() {
      held.delete(taken);
      taken.close();
    },
  };
}
