import type { Database } from '../db/database.ts';
import type { MaskSize } from './mask-size.ts';

export async function setStock(_database: Database, _request: { size: string; stock: number }): Promise<MaskSize> {
  throw new Error('not written');
}
