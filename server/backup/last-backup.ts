/** What the last backups came to, in the data folder, so that the server can report it. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Gauge, type Registry } from 'prom-client';

/** Milliseconds since 1970; null when there was none. */
type LastBackup = { readonly succeededAt: number | null; readonly failedAt: number | null };

const NONE: LastBackup = { succeededAt: null, failedAt: null };

/** Remembers a backup that ended now. Throws when the data folder cannot be written. */
export async function recordBackup(
  dataDir: string,
  { isSuccess }: { readonly isSuccess: boolean },
): Promise<void> {
  const path = pathIn(dataDir);
  const last = await getLastBackup(dataDir);
  const next = { ...last, [isSuccess ? 'succeededAt' : 'failedAt']: Date.now() };
  // Readable by the server when another user, such as root, makes the backups. No other user can
  // enter the folder.
  await writeFile(`${path}.new`, `${JSON.stringify(next)}\n`, { mode: 0o644 });
  await rename(`${path}.new`, path);
}

/** Of the backups made with this data folder, by whichever process. */
export function addBackupGauges(registry: Registry, dataDir: string): void {
  new Gauge({
    name: 'waitlist_last_backup_timestamp_seconds',
    help: 'When the last good backup ended, in Unix time; 0 when there is none.',
    registers: [registry],
    async collect() {
      const { succeededAt } = await getLastBackup(dataDir);
      this.set((succeededAt ?? 0) / 1000);
    },
  });
  new Gauge({
    name: 'waitlist_last_backup_success',
    help: 'Whether the last backup is good: 1 or 0.',
    registers: [registry],
    async collect() {
      const { succeededAt, failedAt } = await getLastBackup(dataDir);
      this.set(succeededAt !== null && succeededAt >= (failedAt ?? 0) ? 1 : 0);
    },
  });
}

/** Of the backups made with this data folder; nulls when that is not known. */
export async function getLastBackup(dataDir: string): Promise<LastBackup> {
  try {
    return { ...NONE, ...(JSON.parse(await readFile(pathIn(dataDir), 'utf8')) as LastBackup) };
  } catch {
    return NONE;
  }
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'last-backup.json');
}
