import type { Database } from '../db/database.ts';
import { deleteOldAnswers } from './store.ts';

/** Deletes the answers kept for Idempotency-Keys that are older than the 24 hours promised. To be run every hour or so. */
export async function forgetAnswers({ kysely }: Database): Promise<void> {
  await deleteOldAnswers(kysely);
}
