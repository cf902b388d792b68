import type { Brand } from '../brand/brand-shape.ts';
import type { Database } from './db/database.ts';
import { prepareSizes } from './drop/stock/stock.ts';
import { setFormula } from './line/formula-store.ts';
import { keyFormula } from './line/line-rules.ts';

/**
 * Brings the database in step with the brand file, at every start: the rule of the line (a changed
 * one gives every member a new position) and new sizes. Several nodes may do so at once. Returns
 * what still differs, as a warning sentence; null when nothing does.
 */
export async function prepareLine(database: Database, brand: Brand): Promise<string | null> {
  await setFormula(database, brand.lineRule.name, keyFormula(brand.lineRule));
  return await prepareSizes(database, brand);
}
