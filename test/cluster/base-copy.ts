/**
 * Copies a running PostgreSQL for a standby, without pg_basebackup, which is not always installed.
 */
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { withClient } from '../support/with-client.ts';

/** Belong to the running process or are rebuilt at start: copied as empty folders. */
const NOT_CONTENT = new RegExp(
  [
    '^pg_(wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)/',
    ...[String.raw`^postmaster\.`, '/pgsql_tmp'],
  ].join('|'),
);

/** Copies the data directory `from` of the server at `url` to `to`, which must not exist. */
export async function copyRunning(url: string, from: string, to: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`select pg_backup_start('standby', true)`);
    await copyFolder(from, to);
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    );
    // Tells the copy from where to replay the write-ahead log.
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  });
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = relative(from, join(entry.parentPath, entry.name));
    if (NOT_CONTENT.test(path)) continue;
    if (entry.isDirectory()) await mkdir(join(to, path), { mode: 0o700, recursive: true });
    else await copyUnlessGone(join(from, path), join(to, path));
  }
}

/** A file may be deleted between listing and copying; the write-ahead log covers that. */
async function copyUnlessGone(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { mode: 0o700, recursive: true });
  await copyFile(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
