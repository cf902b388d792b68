import type { Database } from '../db/database.ts';
import { inRetriedTransaction } from '../db/transaction.ts';
import { removeMembers } from './changes/change-store.ts';
import { proveMailboxes } from './credits/prove-mailboxes.ts';
import { readMemberId, unknownMember } from './member-id-rules.ts';
import { type Confirmation, confirm } from './store.ts';

/**
 * `invitedBy`: the code of one of several who may have invited the member; any other text for none
 * of them. Without it, `asked` where there are several.
 */
export async function confirmMember(
  database: Database,
  { memberId, invitedBy = null }: { memberId: string; invitedBy?: string | null | undefined },
): Promise<Confirmation> {
  const id = readMemberId(memberId);
  if (id === null) return 'unknown';
  const outcome = await confirm(database, id, invitedBy);
  if (outcome === 'confirmed') await proveMailboxes(database, { memberId: id });
  return outcome;
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
