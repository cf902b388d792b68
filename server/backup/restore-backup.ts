import { existsSync, readdirSync } from 'node:fs';
import type { Config } from '../config.ts';
import { createRestoredDatabase } from '../db/create-restored.ts';
import type { RunSql } from '../db/database.ts';
import { ensureFolder } from '../db/embedded/folder-lock.ts';
import { IN_POSTGRES } from '../db/line-place.ts';
import { createTables, EXPORT_AND_IMPORT, migrateWithin } from '../db/schema/migrate.ts';
import { isMerged, LAST_MERGED, readSchema, type Schema } from '../db/schema/read-schema.ts';
import { describeError } from '../http/request-log.ts';
import { assertSecretKeyFits, isKeyOf, keepSecretKey } from '../mail/secret-key.ts';
import { codeOf } from '../startup-error.ts';
import { BackupError, checkBackupFile, readBackupLines } from './backup-file.ts';
import {
  countRows,
  emptyTable,
  insertMailPage,
  insertPage,
  listTablesOf,
  rebuildLine,
  settleRestored,
} from './store.ts';
import { type BackupEnd, type BackupHeader, END, HEADER, MAILS } from './write-backup.ts';

type RestoreOptions = {
  readonly path: string;
  readonly log: (line: string) => void;
  /** The schema of another program, which settles the line by itself. */
  readonly schema?: Schema;
  /** Lets the line act at once. Without it, it may be a copy. */
  readonly isLine?: boolean;
};

const OWN_FILES = [
  /^(?:database|mail|compiled|server\.json|backup\.unfinished|lost\+found)$/,
  /^(?:lock|secret-key|operator-token|last-backup|before-upgrade)\b/,
  /^database\.(?:unfinished|damaged)\b/,
  new RegExp(`^${IN_POSTGRES}$`),
];

/** SQLSTATEs of values that a column does not take (22) and of broken constraints (23). */
const UNFIT_STATE = /^2[23][0-9A-Z]{3}$/;

/** Fills the empty database, completely or not at all. Throws BackupError or StartupError. */
export async function restoreBackup(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>,
  { path, log, schema: other, isLine = false }: RestoreOptions,
) {
  const schema = other ?? readSchema();
  await checkBackupFile(path);
  const header = await readHeader(path);
  const { takenAt, schemaVersion, secretKey } = header;
  const isKnown =
    schemaVersion === LAST_MERGED || schema.changes.some(({ name }) => name === schemaVersion);
  // The headers of the first programs named no version.
  if (!isKnown && (schemaVersion === undefined || isMerged(schemaVersion)))
    throw new BackupError(
      `${path} is a backup from before the first release of this program: ` +
        `restore it and ${EXPORT_AND_IMPORT}`,
    );
  if (!isKnown)
    throw new BackupError(
      `The backup is from a newer version (it has ${schemaVersion}): restore it with that one.`,
    );
  assertOwnFolder(config.dataDir);
  await assertSecretKeyFits(config, secretKey);
  return await createRestoredDatabase({
    ...config,
    log,
    fill: async (runSql) => {
      const counts = await restoreRows(runSql, { path, schemaVersion, schema });
      if (!(await isKeyOf({ runSql }, secretKey)))
        throw new BackupError(
          `${path} was altered: its secret key is not that of its rows. Nothing is kept.`,
        );
      const keyless = other === undefined ? await settleRestored(runSql, { takenAt, isLine }) : [];
      // The key comes last: after an interrupted restore another backup can be restored.
      await keepSecretKey(config, secretKey);
      return { takenAt, ...counts, keyless };
    },
  });
}

/** A restore by mistake must not fill a home folder, for example. */
function assertOwnFolder(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  const isOwn = (name: string) => OWN_FILES.some((own) => own.test(name));
  ensureFolder(dataDir);
  const other = readdirSync(dataDir).find((name) => !isOwn(name));
  if (other !== undefined)
    throw new BackupError(
      `The data folder ${dataDir} holds other files, such as ${other}: use an empty one.`,
    );
}

export async function readBackupCounts(path: string) {
  await checkBackupFile(path);
  const { takenAt } = await readHeader(path);
  for await (const { word, json } of readBackupLines(path)) {
    if (word !== END) continue;
    const { rows } = JSON.parse(json) as BackupEnd;
    return { takenAt, members: rows.member ?? 0, mails: rows[MAILS] ?? 0 };
  }
  throw new BackupError(`${path} has no last line.`);
}

async function readHeader(path: string): Promise<BackupHeader> {
  for await (const { word, json } of readBackupLines(path)) {
    if (word === HEADER) return JSON.parse(json) as BackupHeader;
    break;
  }
  throw new BackupError(`${path} has no header.`);
}

async function restoreRows(
  runSql: RunSql,
  { path, schemaVersion, schema }: { path: string; schemaVersion: string; schema: Schema },
) {
  await createTables(
    runSql,
    schema.changes.filter(({ name }) => name <= schemaVersion),
  );
  const tables = await listTablesOf(runSql);
  for (const table of tables.toReversed()) await emptyTable(runSql, table);
  const { rows } = await insertLines(runSql, path, tables);
  for (const table of tables) {
    const restored = await countRows(runSql, table);
    if (restored !== (rows[table] ?? 0))
      throw new BackupError(
        `${path} has ${rows[table]} rows of ${table}, ${restored} were restored: nothing is kept.`,
      );
  }
  await migrateWithin(runSql, schema);
  const { mails, total } = await rebuildLine(runSql);
  const members = rows.member ?? 0;
  if (mails !== rows[MAILS] || total !== members)
    throw new BackupError(`${path} was not restored completely: nothing is kept.`);
  return { members, mails };
}

async function insertLines(
  runSql: RunSql,
  path: string,
  tables: readonly string[],
): Promise<BackupEnd> {
  for await (const { word, json } of readBackupLines(path)) {
    if (word === HEADER) continue;
    if (word === END) return JSON.parse(json) as BackupEnd;
    if (word !== MAILS && !tables.includes(word))
      throw new BackupError(`${path} has rows of ${word}, an unknown table.`);
    try {
      await (word === MAILS ? insertMailPage(runSql, json) : insertPage(runSql, word, json));
    } catch (error) {
      if (!UNFIT_STATE.test(codeOf(error))) throw error;
      throw new BackupError(
        `The rows of ${word} in ${path} do not fit this version ` +
          `(${describeError(error).message}): restore it with the version that made it.`,
        { cause: error },
      );
    }
  }
  throw new BackupError(`${path} has no last line.`);
}
