import { existsSync, readdirSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { backUpBeforeUpgrade } from '../../server/backup/back-up-before-upgrade.ts';
import { recordBackup } from '../../server/backup/last-backup.ts';
import { takeOfflineBackup } from '../../server/backup/offline-backup.ts';
import { restoreBackup } from '../../server/backup/restore-backup.ts';
import { saveBackup } from '../../server/backup/save-backup.ts';
import type { Config } from '../../server/config.ts';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open.ts';
import { assertCurrent } from '../../server/db/schema/migrate.ts';
import { verifyWaitlist } from '../../server/overview/verify-waitlist.ts';
import { print } from '../command-line/output.ts';
import { type Call, refuse } from '../command-line/program.ts';
import { pathOf } from '../command-line/working-folder.ts';
import {
  askOrOpen,
  callOperator,
  isExpected,
  OperatorError,
  openOperatorCall,
} from './call-operator.ts';
import { unwritten } from './export.ts';

export async function verify({ config, values }: Call): Promise<void> {
  const { audit_head } = values;
  const verification = await askOrOpen(
    () => callOperator(config, 'POST verify', { query: { audit_head } }),
    () => verifyStopped(config, audit_head),
  );
  const { members, differences, audit } = verification;
  if (!values.json) for (const difference of differences) console.error(difference);
  print(
    values,
    verification,
    `${members} members compared, ${differences.length} differences.\n` +
      `Audit log: ${audit.entries} entries, head ${audit.head}`,
  );
  if (differences.length > 0) process.exitCode = 1;
}

/** Changes nothing; the folder lock protects a database that is in use. */
async function verifyStopped(config: Config, head?: string) {
  const database = await openDatabase({ ...config, log: () => {}, skipMigrations: true });
  try {
    await assertCurrent(database.runSql);
    return await verifyWaitlist(database, head);
  } finally {
    await database.close();
  }
}

/** `--keep` deletes older files with a default name. The outcome is recorded for metrics. */
export async function backUp({ config, values: { path: file, keep } }: Call): Promise<void> {
  if (keep !== undefined && file !== undefined)
    refuse('--keep is for backups that are named after their time.');
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
    () => openOperatorCall(config, operatorPaths.backup),
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

export async function restore({ config, values }: Call): Promise<void> {
  const isLine = values.this_is_the_line === true;
  const { takenAt, members, mails, keyless } = await restoreBackup(config, {
    path: pathOf(values.path ?? ''),
    log: console.log,
    isLine,
  });
  const place = config.databaseUrl === null ? config.dataDir : 'PostgreSQL';
  console.log(
    `Restored ${members} members and ${mails} waiting mails of ${takenAt} into ${place}.`,
  );
  console.log('Check the line with ./waitlist verify, then start the server with npm start.');
  console.log(
    isLine
      ? 'It acts from its start: let no other server run this line any more.'
      : 'It may be a copy, so nothing leaves it: no mail, webhook or offer, and its till waits.\n' +
          'If it is the line from now on, say so once it runs: ./waitlist this-is-the-line',
  );
  if (keyless.length > 0)
    console.log(
      `No backup has the keys of a till: enter those of ${keyless.join(', ')} again, or no mask ` +
        'is sold, and no refund or dispute is seen.',
    );
}

export async function migrate({ config }: Call): Promise<void> {
  const { dataDir, databaseUrl } = config;
  const backUp = (opened: Database) => backUpBeforeUpgrade(config, opened);
  const database = await openDatabase({ ...config, log: console.error, backUp });
  await database.close();
  const place = databaseUrl === null ? dataDir : `PostgreSQL at ${new URL(databaseUrl).host}`;
  console.log(`The schema of the database in ${place} is up to date.`);
}
