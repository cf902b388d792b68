import type { Database } from '../db/database.ts';
import type { Allocation } from './mask-size.ts';
import { readAllocations } from './store.ts';

/** Every allocation, released ones too, newest first. */
export async function listAllocations(database: Database): Promise<Allocation[]> {
  return await readAllocations(database);
}
