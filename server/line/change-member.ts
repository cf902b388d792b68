import type { Database } from '../db/database.ts';
import { inRetriedTransaction } from '../db/transaction.ts';
import { removeMembers } from './changes/change-store.ts';
import { proveMailboxes } from './credits/prove-mailboxes.ts';
import { readMemberId, unknownMember } from './member-id-rules.ts';
import { confirm } from './store.ts';

export async function confirmMember(
  database: Database,
  { memberId }: { memberId: string },
): Promise<'confirmed' | 'unknown'> {
  const id = readMemberId(memberId);
  if (id === null || !(await confirm(database, id))) return 'unknown';
  await proveMailboxes(database, { memberId: id });
  return 'confirmed';
}

/** Their referrer loses the credit, their friends stay. Throws Problem unknown_member. */
export async function removeMember(
  database: Database,
  { memberId }: { memberId: string },
): Promise<void> {
  const id = readMemberId(memberId);
  if (id === null) throw unknownMember();
  await inRetriedTransaction(database, async (transaction) => {
    const { removed } = await removeMembers(transaction, [id], null);
    if (removed === 0) throw unknownMember();
  });
}
