import { deleteUndoUntil } from '../../changes/changes-store.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { forgetRemoved } from '../../line/changes/remove-members.ts';

/**
 * Deletes expired undo records, and removed members who can no longer be restored. Meant to run
 * each minute.
 */
export async function deleteExpiredUndo(database: Database): Promise<void> {
  const now = new Date();
  await inTransaction(database, async (transaction) => {
    await deleteUndoUntil(transaction, now);
    await forgetRemoved(transaction, now);
  });
}
