import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import { insertNewSizes } from './store.ts';

/** Puts the sizes of the brand file in stock that the database does not know yet. */
export async function prepareSizes(database: Database, brand: Brand): Promise<void> {
  await insertNewSizes(database, brand.sizes);
}
