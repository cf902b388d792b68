import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../make-folder.ts';
import { codeOf, reasonOf, StartupError } from '../../startup-error.ts';
import { isWritableByOthers } from '../../writable-by-others.ts';
import { embeddedFolder } from './create-embedded.ts';

const SQLITE_BUSY = 5;

/** Keeps locks reachable: a collected one would be released while its owner still runs. */
const held = new Set<DatabaseSync>();

/**
 * Makes the data folder, open to its owner alone, when it is not there yet. Throws StartupError
 * when it cannot be read and written, or when others could write to it or to the database in it.
 */
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

/**
 * Keeps every other process off the folder until `release` is called or this process ends, however
 * it ends. Two processes in one embedded database destroy it silently, and two servers of one
 * PostgreSQL mix up their files. Throws StartupError when another one has it.
 *
 * The lock is the operating system's, held on a file through SQLite because Node has no call for
 * it: unlike a file with a process number in it, it is never stale, is not fooled by a reused
 * number or a second container, and does not travel with a copy.
 */
export function lockFolder(dataDir: string): { release(): void } {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(dataDir, 'lock'));
    lock.exec('begin exclusive');
  } catch (error) {
    lock?.close();
    const isTaken = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    const reason = isTaken
      ? 'is in use by another running server: stop that one first'
      : `cannot be locked: ${reasonOf(error)}`;
    throw new StartupError(`The data folder ${dataDir} ${reason}.`, { cause: error });
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
