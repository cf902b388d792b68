import type { Brand } from '../../../brand/brand-shape.ts';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { assertPieces, assertStorable, findSize } from './mask-problems.ts';
import type { MaskSize } from './mask-size.ts';
import { describeDifference, newSizes, sumStock } from './size-rules.ts';
import {
  insertSizes,
  orderSizes,
  readLockedSizes,
  readSizes,
  updateStock,
  withLockedSizes,
} from './store.ts';

/** In the order of the brand file. */
export async function listSizes(database: Database): Promise<MaskSize[]> {
  return await readSizes(database);
}

/**
 * Adds the sizes that the brand file has and the line does not, unless one of them may be a new
 * name for another. Returns what still differs, as a warning sentence with the commands that end
 * it; null when nothing does.
 */
export async function prepareSizes(
  database: Database,
  brand: Pick<Brand, 'sizes' | 'maskCount'>,
): Promise<string | null> {
  await withLockedSizes(database, async (transaction, sizes) => {
    await insertSizes(transaction, newSizes(brand, sizes));
    const names = brand.sizes.map(({ name }) => name);
    await orderSizes(transaction, names);
  });
  return describeDifference(brand, await readSizes(database));
}

/**
 * `maskCount` is how many masks the site promises. Returns the size as it was and as it is. Throws
 * Problem invalid_field, or conflict when more of the size is allocated and offered, or when all
 * sizes together would hold more than the promise.
 */
export async function setStock(
  transaction: Transaction,
  { size: name, stock, maskCount }: { size: string; stock: number; maskCount: number },
): Promise<{ before: MaskSize; after: MaskSize }> {
  assertPieces('stock', stock, 0);
  assertStorable('size', name);
  const sizes = await readLockedSizes(transaction);
  const before = findSize(sizes, name);
  if (stock < before.allocated)
    throw new Problem(
      'conflict',
      `${before.allocated} of size ${before.name} are allocated: release some first.`,
    );
  const taken = before.allocated + before.offered;
  if (stock < taken)
    throw new Problem(
      'conflict',
      `${before.offered} of size ${before.name} are offered to members, ` +
        `${before.allocated} are allocated: the stock cannot be less than ${taken}.`,
    );
  const total = sumStock(sizes) - before.stock + stock;
  if (stock > before.stock && total > maskCount)
    throw new Problem(
      'conflict',
      `The site says that there are ${maskCount} masks, and this would make ${total}: ` +
        'change the stock in brand.ts first.',
    );
  await updateStock(transaction, before.name, stock);
  return { before, after: { ...before, stock, available: stock - taken } };
}
