import type { Brand } from '../brand/brand-shape.ts';
import type { Database } from './db/database.ts';
import { prepareSizes } from './drop/stock/stock.ts';

/** Several servers may do so at once, at every start. Returns a warning, or null. */
export async function prepareLine(database: Database, brand: Brand): Promise<string | null> {
  return await prepareSizes(database, brand);
}
