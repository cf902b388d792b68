import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';

/** Brings the line in step with the brand file: at the first start its rule, sizes and stock, later a changed rule. */
export async function prepareLine(_database: Database, _brand: Brand): Promise<void> {
  throw new Error('not written');
}
