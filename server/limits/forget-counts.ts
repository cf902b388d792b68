import type { Database } from '../db/database.ts';
import { deleteExpiredCounts } from './store.ts';

/** Deletes what was counted in windows that are over. To be run every minute or so. */
export async function forgetCounts(database: Database): Promise<void> {
  await deleteExpiredCounts(database);
}
