import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { forgetRemoved } from '../../line/changes/remove-members.ts';
import { deleteUndoUntil } from './changes-store.ts';

/**
 * Deletes what the undo of changes needed that are too old for one, and members who were removed.
 * Meant to run each minute.
 */
export async function deleteExpiredUndo(database: Database): Promise<void> {
  const now = new Date();
  await inTransaction(database, async (transaction) => {
    await deleteUndoUntil(transaction, now);
    await forgetRemoved(transaction, now);
  });
}
