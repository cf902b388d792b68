import { readdir, rm } from 'node:fs/promises';
import type { Database } from '../db/database.ts';
import { keptMailFolder } from '../mail/delivery/transport.ts';
import { readMemberId } from '../waitlist/member-id-rules.ts';
import { readPresent } from './store.ts';

const BATCH = 1000;

/**
 * Deletes kept mails of members who have left: one that was being written while its member left, or that another server of
 * the same database keeps. To be run every hour or so.
 */
export async function sweepKeptMail(database: Database, { dataDir }: { dataDir: string }): Promise<void> {
  const names = await readdir(keptMailFolder(dataDir)).catch(() => []);
  const ids = names.filter((name) => readMemberId(name) === name);
  for (let start = 0; start < ids.length; start += BATCH) {
    const some = ids.slice(start, start + BATCH);
    const present = await readPresent(database, some);
    const left = some.filter((id) => !present.has(id));
    await Promise.all(left.map((id) => rm(keptMailFolder(dataDir, id), { recursive: true, force: true })));
  }
}
