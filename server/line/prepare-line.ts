import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import { prepareSizes } from '../drop/stock.ts';
import { setFormula } from './formula-store.ts';
import { keyFormula } from './line-rules.ts';

/**
 * Brings the database in step with the brand file, at every start: the rule of the line (a changed
 * one gives every member a new position) and new sizes. Several nodes may do so at once.
 */
export async function prepareLine(database: Database, brand: Brand): Promise<void> {
  await setFormula(database, brand.lineRule.name, keyFormula(brand.lineRule));
  await prepareSizes(database, brand);
}
