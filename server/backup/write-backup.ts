import type { Database } from '../db/database.ts';
import { openSnapshot } from '../db/snapshot.ts';
import { sealBackup } from './backup-file.ts';
import { listTables, type Pages, readMailPages, readPages, readSchemaVersion } from './store.ts';

export type BackupTask = { readonly secretKey: string };

export type BackupHeader = {
  readonly takenAt: string;
  readonly schemaVersion: string;
  /** Without it, links in mails already sent would stop working. */
  readonly secretKey: string;
};

export type BackupEnd = { readonly rows: Readonly<Record<string, number>> };

export const HEADER = '#backup';
export const MAILS = '#mails';
export const END = '#end';

export async function* writeBackup(database: Database, secretKey: string): AsyncGenerator<Buffer> {
  yield* sealBackup(writeLines(database, secretKey));
}

async function* writeLines(database: Database, secretKey: string): AsyncGenerator<string> {
  const snapshot = await openSnapshot(database);
  try {
    const schemaVersion = await readSchemaVersion(snapshot);
    const header: BackupHeader = { takenAt: new Date().toISOString(), schemaVersion, secretKey };
    yield `${HEADER} ${JSON.stringify(header)}\n`;
    const rows: Record<string, number> = {};
    async function* writePages(word: string, pages: Pages) {
      rows[word] = 0;
      for await (const page of pages) {
        rows[word] += page.rows;
        yield `${word} ${page.json}\n`;
      }
    }
    for (const table of await listTables(snapshot))
      yield* writePages(table, readPages(snapshot, table));
    yield* writePages(MAILS, readMailPages(snapshot));
    const end: BackupEnd = { rows };
    yield `${END} ${JSON.stringify(end)}\n`;
  } finally {
    await snapshot.rollback().execute();
  }
}
