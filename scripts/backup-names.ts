/** Backups that are named after their time, of which the oldest can be deleted. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const NAME = /^waitlist-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/;

/** Sorts by time, and is allowed on every file system. */
export function nameBackup(time: Date): string {
  return `waitlist-${time.toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}.backup`;
}

/** All but the last `keep` with such a name; returns their names. Other files are left alone. */
export function deleteOldBackups(folder: string, keep: number): string[] {
  const old = readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()
    .slice(0, -keep);
  for (const name of old) rmSync(join(folder, name));
  return old;
}
