import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import { Problem } from '../problem.ts';
import { assertPieces, assertStorable, unknownSize } from './mask-problems.ts';
import type { MaskSize } from './mask-size.ts';
import { insertNewSizes, readSizes, updateStock, withLockedSize } from './store.ts';

/** In the order of the brand file. */
export async function listSizes(database: Database): Promise<MaskSize[]> {
  return await readSizes(database);
}

/** Adds the sizes of the brand file that the database does not have yet, with their stock. */
export async function prepareSizes(database: Database, brand: Brand): Promise<void> {
  await insertNewSizes(database, brand.sizes);
}

/** Throws Problem invalid_field, or conflict when more than that is allocated. */
export async function setStock(
  database: Database,
  { size: name, stock }: { size: string; stock: number },
): Promise<MaskSize> {
  assertPieces('stock', stock, 0);
  assertStorable('size', name);
  return await withLockedSize(database, name, async (transaction, size) => {
    if (size === undefined) throw unknownSize(name);
    if (stock < size.allocated)
      throw new Problem(
        'conflict',
        `${size.allocated} of size ${name} are allocated: release some first.`,
      );
    await updateStock(transaction, name, stock);
    return { ...size, stock, available: stock - size.allocated };
  });
}
