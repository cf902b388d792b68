import { readdir, rm } from 'node:fs/promises';
import type { Database } from '../../db/database.ts';
import { readMemberId } from '../../line/member-id-rules.ts';
import { keptMailFolder, OPERATOR_FOLDER, TEST_FOLDER } from '../../mail/delivery/transport.ts';
import { listGone } from './store.ts';

const BATCH_SIZE = 1000;
/** A mail that began before the member left may still be written. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 } as const;

export async function deleteKeptMail(dataDir: string, ids: readonly string[]): Promise<void> {
  const kept = new Set(await readdir(keptMailFolder(dataDir)).catch(() => []));
  for (const id of ids) if (kept.has(id)) await rm(keptMailFolder(dataDir, id), REMOVAL);
}

/** Deletes mails to operators, and to members whom another server erased. */
export async function sweepKeptMail(
  database: Database,
  { dataDir }: { dataDir: string },
): Promise<void> {
  for (const folder of [TEST_FOLDER, OPERATOR_FOLDER])
    await rm(keptMailFolder(dataDir, folder), { recursive: true, force: true });
  const names = await readdir(keptMailFolder(dataDir)).catch(() => []);
  const ids = names.filter((name) => readMemberId(name) === name);
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const gone = await listGone(database, ids.slice(start, start + BATCH_SIZE));
    await deleteKeptMail(dataDir, gone);
  }
}
