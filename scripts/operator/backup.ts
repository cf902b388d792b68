import { existsSync, readdirSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { InvalidArgumentError } from 'commander';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { recordBackup } from '../../server/backup/last-backup.ts';
import { takeOfflineBackup } from '../../server/backup/offline-backup.ts';
import { saveBackup } from '../../server/backup/save-backup.ts';
import type { Config } from '../../server/config.ts';
import type { Call } from '../command-line/program.ts';
import { pathOf } from '../command-line/working-folder.ts';
import { askOrOpen, isExpected, OperatorError } from './call-operator.ts';
import { openStream, unwritten } from './export.ts';

/** `--keep` deletes older files with a default name. The outcome is recorded for metrics. */
export async function backUp({ config, values: { file, keep } }: Call): Promise<void> {
  if (keep !== undefined && file !== undefined)
    throw new InvalidArgumentError('--keep is for backups that are named after their time.');
  const folder = config.backupDir ?? pathOf('.');
  const path = file === undefined ? join(folder, nameBackup(new Date())) : pathOf(file);
  try {
    await writeBackupFile(config, path);
  } catch (error) {
    await recordBackup(config.dataDir, { isSuccess: false }).catch(() => {});
    throw error;
  }
  await recordBackup(config.dataDir, { isSuccess: true }).catch(() =>
    console.error(`/metrics will not tell of it: ${config.dataDir} cannot be written.`),
  );
  const deleted = keep === undefined ? [] : deleteOldBackups(folder, Number(keep));
  if (deleted.length > 0)
    console.log(`Deleted, as older than the last ${keep}: ${deleted.join(', ')}.`);
}

async function writeBackupFile(config: Config, path: string): Promise<void> {
  if (existsSync(path)) throw new OperatorError(`${path} exists already.`);
  const { members, mails } = await saveBackup(path, () => openBackup(config)).catch((error) => {
    throw isExpected(error) ? error : unwritten(path, error);
  });
  const megabytes = ((await stat(path)).size / 1e6).toFixed(1);
  console.log(`${members} members and ${mails} waiting mails are in ${path} (${megabytes} MB).`);
  console.log('It contains every address and the secret key: store it where only you can read it.');
}

function openBackup(config: Config): Promise<Readable> {
  return askOrOpen(
    () => openStream(config, operatorPaths.backup),
    async () => Readable.from(await takeOfflineBackup(config)),
  );
}

const NAME = /^waitlist-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/;

export function nameBackup(time: Date): string {
  return `waitlist-${time.toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}.backup`;
}

export function deleteOldBackups(folder: string, keep: number): string[] {
  const old = readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()
    .slice(0, -keep);
  for (const name of old) rmSync(join(folder, name));
  return old;
}
