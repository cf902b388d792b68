import type { Database } from '../db/database.ts';
import type { Allocation } from './mask-size.ts';

export async function allocateMasks(
  _database: Database,
  _request: { size: string; quantity: number; note: string },
): Promise<Allocation> {
  throw new Error('not written');
}
