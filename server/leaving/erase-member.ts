import { rm } from 'node:fs/promises';
import type { Database } from '../db/database.ts';
import { keptMailFolder } from '../mail/delivery/transport.ts';
import { readMemberId, unknownMember } from '../waitlist/member-id-rules.ts';
import { removeMember } from '../waitlist/remove-member.ts';

/**
 * Takes a member out of the line with all that is kept about them: their row and what hangs on it, their queued and sent
 * mails, and the mails kept in the data folder. What stays is the keyed hash of an address that is not written to. Throws
 * Problem unknown_member.
 */
export async function eraseMember(
  database: Database,
  { memberId, dataDir }: { memberId: string; dataDir: string },
): Promise<void> {
  const id = readMemberId(memberId);
  if (id === null) throw unknownMember();
  await removeMember(database, { memberId: id });
  // After the commit: a mail that was under way is then the last one, and may be written while the folder is emptied. What a crash
  // leaves here, the next sweep finds.
  await rm(keptMailFolder(dataDir, id), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
