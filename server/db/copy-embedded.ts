/**
 * A copy of the embedded database while it is in use, in the way of PostgreSQL's own base backups: the files are copied while they
 * change, and the write-ahead log since a checkpoint before makes them whole again when the copy is opened. Visitors wait for the
 * checkpoint and for the copying of that log, not for the copying of the database.
 */
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { embeddedFolder } from './create-embedded.ts';
import type { Database } from './database.ts';
import { openEmbeddedCopy } from './embedded.ts';
import type { Tables } from './tables.ts';

const CONTROL_FILE = join('global', 'pg_control');
const LOG_FOLDER = 'pg_wal';
/** What must stay free beside the copy, so that it is never the copy that stops the server. */
const SPARE_BYTES = 256 * 1024 * 1024;
/** After each file its copier waits for its turn among visitors: one copier alone took half a minute for a thousand files under load. */
const COPIERS = 32;

const beingCopied = new WeakSet<Kysely<Tables>>();

export class NoSpaceForCopy extends Error {
  readonly neededBytes: number;

  constructor(neededBytes: number) {
    super(`${neededBytes} bytes must be free for a copy of the database.`);
    this.neededBytes = neededBytes;
  }
}

/** Then no checkpoint may be made: it would throw away the log that the copy needs. */
export function isBeingCopied({ kysely }: Pick<Database, 'kysely'>): boolean {
  return beingCopied.has(kysely);
}

/**
 * Copies the database of a data folder into `targetDir`, which is made. Answers up to where the log goes: opened, the copy must
 * have come as far. Throws NoSpaceForCopy. One copy at a time.
 */
export async function copyEmbedded(
  { kysely }: Database,
  { dataDir, targetDir }: { dataDir: string; targetDir: string },
): Promise<string> {
  const sourceDir = embeddedFolder(dataDir);
  await assertSpace(sourceDir);
  if (beingCopied.has(kysely)) throw new Error('The database is being copied already.');
  beingCopied.add(kysely);
  try {
    const begun = await kysely.connection().execute(async (connection) => {
      await sql`checkpoint`.execute(connection);
      await mkdir(join(targetDir, 'global'), { recursive: true, mode: 0o700 });
      // Where recovery begins. Copied later, it could name a later place than some of the files need.
      await copyFile(join(sourceDir, CONTROL_FILE), join(targetDir, CONTROL_FILE));
      return await readLogPlace(connection);
    });
    await copyFiles(sourceDir, targetDir);
    return await kysely.connection().execute(async (connection) => {
      const ended = await readLogPlace(connection);
      if (ended.checkpoint !== begun.checkpoint)
        throw new Error('A checkpoint came in between: the copy is not whole.');
      await copyLog(join(sourceDir, LOG_FOLDER), join(targetDir, LOG_FOLDER), {
        from: begun.firstFile,
        to: ended.lastFile,
      });
      return ended.end;
    });
  } finally {
    beingCopied.delete(kysely);
  }
}

/** Opens a copy for reading. Throws when its log did not bring it to `end`: what was acknowledged before would be missing. */
export async function openCopy(copyDir: string, end: string): Promise<Database> {
  const opened = await openEmbeddedCopy(copyDir);
  const { rows } = await sql<{ is_whole: boolean }>`
    select pg_current_wal_insert_lsn() >= ${end}::pg_lsn as is_whole`.execute(opened.kysely);
  if (rows[0]?.is_whole) return { ...opened, engine: 'embedded', ping: async () => {} };
  await opened.close();
  throw new Error(`The copy of the database did not come to ${end}.`);
}

async function copyFiles(sourceDir: string, targetDir: string): Promise<void> {
  const files: string[] = [];
  for (const entry of await readdir(sourceDir, { recursive: true, withFileTypes: true })) {
    const path = relative(sourceDir, join(entry.parentPath, entry.name));
    if (!isCopied(path)) continue;
    if (entry.isDirectory()) await mkdir(join(targetDir, path), { recursive: true, mode: 0o700 });
    else files.push(path);
  }
  const next = files.values();
  const copiers = Array.from({ length: COPIERS }, async () => {
    for (const path of next) await copyFile(join(sourceDir, path), join(targetDir, path), constants.COPYFILE_FICLONE);
  });
  // When one fails, the folder is deleted: not before the others have ended.
  for (const copier of await Promise.allSettled(copiers)) if (copier.status === 'rejected') throw copier.reason;
}

/** Not what PostgreSQL makes anew when it is missing: it comes and goes without a trace in the log. */
function isCopied(path: string): boolean {
  if (/(^|[\\/])(pgsql_tmp|pg_internal\.init)/.test(path)) return false;
  return path !== CONTROL_FILE && !path.startsWith(join(LOG_FOLDER, '/'));
}

/** File names of the log are hexadecimal numbers of equal length, in order. */
async function copyLog(source: string, target: string, { from, to }: { from: string; to: string }): Promise<void> {
  await mkdir(join(target, 'archive_status'), { recursive: true });
  for (const name of await readdir(source))
    if (/^[0-9A-F]{24}$/.test(name) && name >= from && name <= to)
      await copyFile(join(source, name), join(target, name), constants.COPYFILE_FICLONE);
}

/** `end` is durable: every commit that was acknowledged lies before it. */
async function readLogPlace(connection: Kysely<Tables>) {
  const { rows } = await sql<{ checkpoint: string; firstFile: string; end: string; lastFile: string }>`
    select redo_lsn::text as checkpoint, pg_walfile_name(redo_lsn) as "firstFile",
      flushed::text as end, pg_walfile_name(flushed) as "lastFile"
    from pg_control_checkpoint(), pg_current_wal_flush_lsn() flushed`.execute(connection);
  if (rows[0] === undefined) throw new Error('The database does not say how far its log goes.');
  return rows[0];
}

async function assertSpace(sourceDir: string): Promise<void> {
  const entries = await readdir(sourceDir, { recursive: true, withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    if (!entry.isFile()) return 0;
    // Files of dropped tables disappear in between.
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    return found?.size ?? 0;
  });
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, SPARE_BYTES);
  const { bavail, bsize } = await statfs(sourceDir);
  if (bavail * bsize < bytes) throw new NoSpaceForCopy(bytes);
}

/** Deletes what a copy has left. */
export async function removeCopy(copyDir: string): Promise<void> {
  await rm(copyDir, { recursive: true, force: true });
}
