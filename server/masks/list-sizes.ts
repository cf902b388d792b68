import type { Database } from '../db/database.ts';
import type { MaskSize } from './mask-size.ts';
import { readSizes } from './store.ts';

/** Every size with its stock and what of it is allocated, in the order of the brand file. */
export async function listSizes(database: Database): Promise<MaskSize[]> {
  return await readSizes(database);
}
