import type { Database } from '../db/database.ts';
import { Problem } from '../problem.ts';
import { assertPieces, assertStorable, unknownSize } from './mask-problems.ts';
import type { Allocation } from './mask-size.ts';
import { insertAllocation, withLockedSize } from './store.ts';

/** Sets masks aside. Throws Problem invalid_field, or conflict when fewer than that are available. */
export async function allocateMasks(
  database: Database,
  { size: name, quantity, note }: { size: string; quantity: number; note: string },
): Promise<Allocation> {
  assertPieces('quantity', quantity, 1);
  assertStorable('size', name);
  assertStorable('note', note);
  return await withLockedSize(database, name, async (transaction, size) => {
    if (size === undefined) throw unknownSize(name);
    if (quantity > size.available)
      throw new Problem('conflict', `Only ${size.available} of size ${name} are available, not ${quantity}.`);
    return await insertAllocation(transaction, { size: name, quantity, note });
  });
}
