import { readdir, rm } from 'node:fs/promises';
import type { Database } from '../../db/database.ts';
import { readMemberId } from '../../line/member-id-rules.ts';
import { keptMailFolder, OPERATOR_FOLDER, TEST_FOLDER } from '../../mail/delivery/transport.ts';
import { readExistingIds } from './store.ts';

const BATCH_SIZE = 1000;

/**
 * Deletes kept mails of members who have left: one that was just being written, or that is in the
 * data folder of another server; and kept mails to operators. Meant to run hourly.
 */
export async function sweepKeptMail(
  database: Database,
  { dataDir }: { dataDir: string },
): Promise<void> {
  for (const folder of [TEST_FOLDER, OPERATOR_FOLDER])
    await rm(keptMailFolder(dataDir, folder), { recursive: true, force: true });
  const names = await readdir(keptMailFolder(dataDir)).catch(() => []);
  const ids = names.filter((name) => readMemberId(name) === name);
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const some = ids.slice(start, start + BATCH_SIZE);
    const present = await readExistingIds(database, some);
    const left = some.filter((id) => !present.has(id));
    await Promise.all(
      left.map((id) => rm(keptMailFolder(dataDir, id), { recursive: true, force: true })),
    );
  }
}
