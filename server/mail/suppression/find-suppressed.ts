import type { Database } from '../../db/database.ts';
import { readSuppressedIds } from './store.ts';

/** The members among these who get no mail, as far as anybody has noticed. */
export async function findSuppressed(
  kysely: Database['kysely'],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(await readSuppressedIds(kysely, ids));
}
