import type { Database } from '../db/database.ts';
import type { MaskSize } from './mask-size.ts';

export async function listSizes(_database: Database): Promise<MaskSize[]> {
  throw new Error('not written');
}
