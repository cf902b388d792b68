import type { Stats } from '../../contract/schemas.ts';
import type { Database } from '../db/database.ts';

export async function getStats(_database: Database): Promise<Stats> {
  throw new Error('not written');
}
