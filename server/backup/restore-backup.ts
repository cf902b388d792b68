import type { Config } from '../config.ts';
import { createFilledDatabase } from '../db/create-filled.ts';
import { isFormOf, migrateWithin, readMigrations, type SqlSession } from '../db/migrate.ts';
import { assertSecretKeyFits, keepSecretKey } from '../mail/secret-key.ts';
import { BackupError } from './backup-error.ts';
import { checkBackupFile, readBackupLines } from './backup-file.ts';
import {
  analyze,
  beginCounting,
  countRows,
  emptyTable,
  insertMailPage,
  insertPage,
  listTablesOf,
  readResult,
} from './store.ts';
import { type BackupEnd, type BackupHeader, END, HEADER, MAILS } from './write-backup.ts';

export type Restored = { readonly takenAt: string; readonly members: number; readonly mails: number };

/**
 * Fills the empty database of the settings from a backup file: wholly, or not at all. Throws a BackupError or StartupError, one
 * sentence, when the file is not whole, the place is not empty, or the backup is newer than this program.
 */
export async function restoreBackup(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>,
  { path, log }: { path: string; log: (line: string) => void },
): Promise<Restored> {
  await checkBackupFile(path);
  const header = await readHeader(path);
  assertKnown(header);
  await assertSecretKeyFits(config, header.secretKey);
  return await createFilledDatabase({
    ...config,
    log,
    fill: async (session) => {
      const restored = await fill(session, { path, header });
      // Last: where a restore was interrupted, another backup may still be restored.
      await keepSecretKey(config, header.secretKey);
      return restored;
    },
  });
}

/** What is in a backup file, read from its first byte to its last. Throws a BackupError when it is not whole. */
export async function readBackupCounts(path: string): Promise<Omit<Restored, 'takenAt'>> {
  await checkBackupFile(path);
  for await (const line of readBackupLines(path)) {
    const { word, json } = splitLine(line);
    if (word !== END) continue;
    const { rows } = JSON.parse(json) as BackupEnd;
    return { members: rows.member ?? 0, mails: rows[MAILS] ?? 0 };
  }
  throw new BackupError(`${path} has no end.`);
}

async function readHeader(path: string): Promise<BackupHeader> {
  for await (const line of readBackupLines(path)) {
    const { word, json } = splitLine(line);
    if (word === HEADER) return JSON.parse(json) as BackupHeader;
    break;
  }
  throw new BackupError(`${path} does not begin as a backup does.`);
}

/** The backup's migrations must be the first ones of this program's: rows go into the tables they came from. */
function assertKnown({ migrations }: BackupHeader): void {
  const known = readMigrations();
  for (const [index, { name, hash }] of migrations.entries()) {
    const own = known[index];
    if (own?.name !== name)
      throw new BackupError(`The backup is of a newer program (it has ${name}): restore it with that one.`);
    if (!isFormOf(own, hash))
      throw new BackupError(`The migration ${name} was edited after the backup was made: restore the file.`);
  }
}

async function fill(session: SqlSession, { path, header }: { path: string; header: BackupHeader }): Promise<Restored> {
  await migrateWithin(session, readMigrations().slice(0, header.migrations.length));
  const tables = await listTablesOf(session);
  for (const table of tables.toReversed()) await emptyTable(session, table);
  const end = await insertLines(session, path, tables);
  for (const table of tables) {
    const rows = await countRows(session, table);
    if (rows !== (end.rows[table] ?? 0))
      throw new BackupError(
        `${path} has ${end.rows[table]} rows of ${table}, and ${rows} were restored: nothing is kept.`,
      );
  }
  const { mails, total } = await readResult(session);
  const members = end.rows.member ?? 0;
  if (mails !== end.rows[MAILS] || total !== members)
    throw new BackupError(`${path} was not restored to the last mail and member: nothing is kept.`);
  await migrateWithin(session, readMigrations());
  await analyze(session);
  return { takenAt: header.takenAt, members, mails };
}

async function insertLines(session: SqlSession, path: string, tables: readonly string[]): Promise<BackupEnd> {
  for await (const line of readBackupLines(path)) {
    const { word, json } = splitLine(line);
    if (word === HEADER) continue;
    if (word === END) return JSON.parse(json) as BackupEnd;
    if (word === MAILS) await insertMailPage(session, json);
    else if (tables.includes(word)) await insertPage(session, word, json);
    else throw new BackupError(`${path} has rows of ${word}, which this program does not know.`);
    if (word === 'line_state') await beginCounting(session);
  }
  throw new BackupError(`${path} has no end.`);
}

function splitLine(line: string): { word: string; json: string } {
  const space = line.indexOf(' ');
  return { word: line.slice(0, space), json: line.slice(space + 1) };
}
