import type { Database } from '../../db/database.ts';
import { countByReason, type SuppressionReason } from './store.ts';

/** Addresses that get no mail, by reason. */
export async function countSuppressed(
  database: Database,
): Promise<Record<SuppressionReason, number>> {
  return { stopped: 0, bounced: 0, complained: 0, ...(await countByReason(database)) };
}
