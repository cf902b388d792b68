import type { Brand } from '../brand/brand-shape.ts';
import type { Database } from './db/database.ts';
import { prepareSizes } from './drop/stock/stock.ts';
import { setFormula } from './line/formula-store.ts';
import { keyFormula } from './line/line-rules.ts';

/** Several servers may do so at once, at every start. Returns a warning, or null. */
export async function prepareLine(database: Database, brand: Brand): Promise<string | null> {
  await setFormula(database, keyFormula(brand.lineRule));
  return await prepareSizes(database, brand);
}
