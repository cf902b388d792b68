import type { Database } from '../db/database.ts';
import type { Allocation } from './mask-size.ts';

export async function releaseMasks(
  _database: Database,
  _request: { allocationId: string; note: string },
): Promise<Allocation> {
  throw new Error('not written');
}
