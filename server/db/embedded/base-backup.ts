/** Files are copied while they change: replaying the log makes them consistent. */
import { constants, type Dirent } from 'node:fs';
import { copyFile, mkdir, readdir, stat, statfs } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Kysely } from 'kysely';
import type { Database, Reader } from '../database.ts';
import { only, value } from '../rows.ts';
import type { Tables } from '../schema/tables.ts';
import { embeddedFolder } from './create-embedded.ts';
import { openEmbeddedCopy } from './embedded.ts';

const LOG_FOLDER = 'pg_wal';
/** The copy and the server may each begin two segments of the log meanwhile. */
const SPARE_BYTES = 64 * 1024 * 1024;
/** Each copy waits for the event loop: one by one, a thousand files took 30 s under load. */
const PARALLEL_COPIES = 32;

const beingCopied = new WeakSet<Kysely<Tables>>();

export class NoSpaceForCopy extends Error {}

/** A checkpoint meanwhile would delete the log that the copy needs. */
export function isBeingCopied({ kysely }: Reader): boolean {
  return beingCopied.has(kysely);
}

/** One at a time. Returns the log position that the opened copy must reach. */
export async function takeBaseBackup(
  { kysely }: Reader,
  { dataDir, targetDir }: { dataDir: string; targetDir: string },
): Promise<string> {
  const sourceDir = embeddedFolder(dataDir);
  beingCopied.add(kysely);
  try {
    const begun = await readLogPosition(kysely);
    const entries = await readdir(sourceDir, { recursive: true, withFileTypes: true });
    const pathOf = (entry: Dirent) => relative(sourceDir, join(entry.parentPath, entry.name));
    const files = entries.filter((entry) => entry.isFile()).map(pathOf);
    await assertSpace(sourceDir, files);
    for (const folder of entries.filter((entry) => entry.isDirectory()))
      await mkdir(join(targetDir, pathOf(folder)), { recursive: true, mode: 0o700 });
    const isLog = (path: string) => path.startsWith(join(LOG_FOLDER, '/'));
    await copyFiles(
      sourceDir,
      targetDir,
      files.filter((path) => !isLog(path)),
    );

    const ended = await readLogPosition(kysely);
    if (ended.checkpoint !== begun.checkpoint)
      throw new Error('A checkpoint was made while the database was copied.');
    const log = (await readdir(join(sourceDir, LOG_FOLDER)))
      .filter((name) => name >= ended.firstLogFile && name <= ended.lastLogFile)
      .map((name) => join(LOG_FOLDER, name));
    await copyFiles(sourceDir, targetDir, log);
    return ended.position;
  } finally {
    beingCopied.delete(kysely);
  }
}

export async function openBaseBackup(copyDir: string, position: string): Promise<Database> {
  const opened = await openEmbeddedCopy(copyDir);
  const isComplete = await value<boolean>(opened.kysely)`
    select pg_current_wal_insert_lsn() >= ${position}::pg_lsn as "isComplete"`;
  if (isComplete) return { ...opened, engine: 'embedded' };
  await opened.close();
  throw new Error(`The copy of the database did not reach ${position}.`);
}

/** Skips files that disappear meanwhile: the log records that a table was dropped. */
async function copyFiles(
  sourceDir: string,
  targetDir: string,
  paths: readonly string[],
): Promise<void> {
  const next = paths.values();
  const copiers = Array.from({ length: PARALLEL_COPIES }, async () => {
    for (const path of next)
      await copyFile(
        join(sourceDir, path),
        join(targetDir, path),
        constants.COPYFILE_FICLONE,
      ).catch(ignoreMissing);
  });
  // After a failure the caller deletes the folder, so every copier must have stopped.
  for (const copier of await Promise.allSettled(copiers))
    if (copier.status === 'rejected') throw copier.reason;
}

export function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** Every acknowledged commit lies before `position`, which is durable. */
function readLogPosition(kysely: Kysely<Tables>) {
  return only<{
    checkpoint: string;
    firstLogFile: string;
    position: string;
    lastLogFile: string;
  }>(kysely)`
    select redo_lsn::text as checkpoint, pg_walfile_name(redo_lsn) as "firstLogFile",
      flushed::text as position, pg_walfile_name(flushed) as "lastLogFile"
    from pg_control_checkpoint(), pg_current_wal_flush_lsn() flushed`;
}

async function assertSpace(sourceDir: string, paths: readonly string[]): Promise<void> {
  const sizes = paths.map((path) => stat(join(sourceDir, path)).catch(ignoreMissing));
  const bytes = (await Promise.all(sizes)).reduce(
    (sum, file) => sum + (file?.size ?? 0),
    SPARE_BYTES,
  );
  const { bavail, bsize } = await statfs(sourceDir);
  if (bavail * bsize < bytes)
    throw new NoSpaceForCopy(
      `This needs ${Math.ceil(bytes / 1e6)} MB free on the disk of ${sourceDir}, ` +
        'for a copy of the database.',
    );
}
