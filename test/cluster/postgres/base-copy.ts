/** A copy of a running PostgreSQL, from which a standby starts: by its low-level backup functions, as pg_basebackup is not always there. */
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import pg from 'pg';

/** Of this process, or made anew at a start: the folders stay, empty. */
const NOT_CONTENT =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/|^postmaster\.|\/pgsql_tmp/;

/** Copies the data directory `from` of the server at `url` to `to`, which must not exist. Its log comes over the wire afterwards. */
export async function copyRunning(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    await copyFolder(from, to);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    // With it, the copy begins to read the log where the copying began.
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
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

/** A table or a temporary file may be deleted between the listing and the copying; the log says so to the standby. */
async function copyUnlessGone(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { mode: 0o700, recursive: true });
  await copyFile(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
