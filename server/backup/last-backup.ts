import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metrics } from '../http/health.ts';

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

export function addBackupGauges({ addGauge }: Metrics, dataDir: string): void {
  addGauge(
    'waitlist_last_backup_timestamp_seconds',
    'When the last good backup ended, in Unix time; 0 when there is none.',
    async () => ((await getLastBackup(dataDir)).succeededAt ?? 0) / 1000,
  );
  const help = 'Whether the last backup is good: 1 or 0.';
  addGauge('waitlist_last_backup_success', help, async () => {
    const { succeededAt, failedAt } = await getLastBackup(dataDir);
    return Number(succeededAt !== null && succeededAt >= (failedAt ?? 0));
  });
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
