import type { Database } from '../db/database.ts';
import { Problem } from '../problem.ts';
import { assertPieces, assertStorable, unknownSize } from './mask-problems.ts';
import type { MaskSize } from './mask-size.ts';
import { updateStock, withLockedSize } from './store.ts';

/** Sets how many pieces of a size there are. Throws Problem invalid_field, or conflict below what is allocated. */
export async function setStock(
  database: Database,
  { size: name, stock }: { size: string; stock: number },
): Promise<MaskSize> {
  assertPieces('stock', stock, 0);
  assertStorable('size', name);
  return await withLockedSize(database, name, async (transaction, size) => {
    if (size === undefined) throw unknownSize(name);
    if (stock < size.allocated)
      throw new Problem('conflict', `${size.allocated} of size ${name} are allocated: release some first.`);
    await updateStock(transaction, name, stock);
    return { ...size, stock, available: stock - size.allocated };
  });
}
