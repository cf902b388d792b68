import { readdir, rm } from 'node:fs/promises';
import type { Database } from '../../db/database.ts';
import { removeMember } from '../../line/change-member.ts';
import { readMemberId, unknownMember } from '../../line/member-id-rules.ts';
import { keptMailFolder } from '../../mail/delivery/transport.ts';

/**
 * Removes a member with everything stored about them: their rows, their queued and sent mails, and
 * the mails kept in the data folder. Only the keyed hash of a suppressed address remains.
 * Throws Problem unknown_member.
 */
export async function eraseMember(
  database: Database,
  { memberId, dataDir }: { memberId: string; dataDir: string },
): Promise<void> {
  const id = readMemberId(memberId);
  if (id === null) throw unknownMember();
  await removeMember(database, { memberId: id });
  await deleteKeptMail(dataDir, [id]);
}

/**
 * Deletes the mails in the data folder to members who have left. After the commit no further mail
 * begins, but one may just be written: hence the retries. The next sweep deletes what a crash
 * leaves behind.
 */
export async function deleteKeptMail(dataDir: string, ids: readonly string[]): Promise<void> {
  const kept = new Set(await readdir(keptMailFolder(dataDir)).catch(() => []));
  for (const id of ids) if (kept.has(id)) await rm(keptMailFolder(dataDir, id), REMOVAL);
}

const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 } as const;
