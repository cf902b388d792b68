import type { Database } from '../../db/database.ts';
import type { Source } from './source-rules.ts';
import { readSourceOf } from './source-store.ts';

/** Where a member came from. Null when there is no such member. */
export async function getSource(database: Database, memberId: string): Promise<Source | null> {
  return await readSourceOf(database, memberId);
}
