import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Gauge, type Registry } from 'prom-client';

type LastBackup = { readonly succeededAt: number | null; readonly failedAt: number | null };

const NONE: LastBackup = { succeededAt: null, failedAt: null };

export async function recordBackup(
  dataDir: string,
  { isSuccess }: { readonly isSuccess: boolean },
): Promise<void> {
  const path = pathIn(dataDir);
  const last = await getLastBackup(dataDir);
  const next = { ...last, [isSuccess ? 'succeededAt' : 'failedAt']: Date.now() };
  // Another user, such as root, may make backups that the server reads.
  await writeFile(`${path}.new`, `${JSON.stringify(next)}\n`, { mode: 0o644 });
  await rename(`${path}.new`, path);
}

export function addBackupGauges(registry: Registry, dataDir: string): void {
  const add = (name: string, help: string, read: (last: LastBackup) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect: async function () {
        this.set(read(await getLastBackup(dataDir)));
      },
    });
  add(
    'waitlist_last_backup_timestamp_seconds',
    'When the last good backup ended, in Unix time; 0 when there is none.',
    ({ succeededAt }) => (succeededAt ?? 0) / 1000,
  );
  add(
    'waitlist_last_backup_success',
    'Whether the last backup is good: 1 or 0.',
    ({ succeededAt, failedAt }) => (succeededAt !== null && succeededAt >= (failedAt ?? 0) ? 1 : 0),
  );
}

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
