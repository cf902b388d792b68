import type { Database } from '../../db/database.ts';
import { deleteUndoUntil } from './changes-store.ts';

/** Deletes what the undo of changes needed that are too old for one. Meant to run each minute. */
export async function deleteExpiredUndo(database: Database): Promise<void> {
  await deleteUndoUntil(database, new Date());
}
