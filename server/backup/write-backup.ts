import type { Database } from '../db/database.ts';
import { BackupError } from './backup-error.ts';
import {
  type AppliedMigration,
  listTables,
  openSnapshot,
  readMailPages,
  readMigrationsApplied,
  readPages,
} from './store.ts';

/** The first line: what the rows are rows of. */
export type BackupHeader = {
  /** ISO 8601 in UTC. */
  readonly takenAt: string;
  readonly migrations: readonly AppliedMigration[];
  /** Without it the links in mails sent so far would be void. */
  readonly secretKey: string;
};

/** The last line: how many rows of each table, and of `MAILS`, there must be. */
export type BackupEnd = { readonly rows: Readonly<Record<string, number>> };

/** The words that lines begin with; a table begins with its own name, which is in `"public"`. */
export const HEADER = '#backup';
export const MAILS = '#mails';
export const END = '#end';

/**
 * The lines of a backup, of one moment: a word, a space and JSON each. Holds a page of rows in memory. Throws a BackupError when
 * there is no waitlist in the database.
 */
export async function* writeBackup(
  database: Database,
  { secretKey, now }: { secretKey: string; now: Date },
): AsyncGenerator<string> {
  const snapshot = await openSnapshot(database);
  try {
    const migrations = await readMigrationsApplied(snapshot);
    if (migrations.length === 0) throw new BackupError('There is no waitlist in this database.');
    const header: BackupHeader = { takenAt: now.toISOString(), migrations, secretKey };
    yield `${HEADER} ${JSON.stringify(header)}\n`;
    const rows: Record<string, number> = {};
    const pagesOf = async function* (word: string, pages: ReturnType<typeof readPages>) {
      rows[word] = 0;
      for await (const page of pages) {
        rows[word] += page.rows;
        yield `${word} ${page.json}\n`;
      }
    };
    for (const table of await listTables(snapshot)) yield* pagesOf(table, readPages(snapshot, table));
    yield* pagesOf(MAILS, readMailPages(snapshot));
    const end: BackupEnd = { rows };
    yield `${END} ${JSON.stringify(end)}\n`;
  } finally {
    await snapshot.rollback().execute();
  }
}
