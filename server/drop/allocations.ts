/** Masks set aside for someone: they no longer count as available. */
import type { Database } from '../db/database.ts';
import { Problem } from '../problem.ts';
import { assertPieces, assertStorable, findSize } from './mask-problems.ts';
import type { Allocation } from './mask-size.ts';
import { insertAllocation, readAllocations, releaseAllocation, withLockedSizes } from './store.ts';

const ALLOCATION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Newest first, released ones included. */
export async function listAllocations(database: Database): Promise<Allocation[]> {
  return await readAllocations(database);
}

/** Throws Problem invalid_field, or conflict when fewer masks are available. */
export async function allocateMasks(
  database: Database,
  { size: name, quantity, note }: { size: string; quantity: number; note: string },
): Promise<Allocation> {
  assertPieces('quantity', quantity, 1);
  assertStorable('size', name);
  assertStorable('note', note);
  return await withLockedSizes(database, async (transaction, sizes) => {
    const size = findSize(sizes, name);
    if (quantity > size.available)
      throw new Problem(
        'conflict',
        `Only ${size.available} of size ${size.name} are available, not ${quantity}.`,
      );
    return await insertAllocation(transaction, { size: size.name, quantity, note });
  });
}

/** Makes the masks available again. Throws Problem conflict if unknown or released already. */
export async function releaseMasks(
  database: Database,
  { allocationId, note }: { allocationId: string; note: string },
): Promise<Allocation> {
  assertStorable('note', note);
  const released = ALLOCATION_ID.test(allocationId)
    ? await releaseAllocation(database, { id: allocationId, note })
    : null;
  if (released === null)
    throw new Problem(
      'conflict',
      `There is no unreleased allocation ${JSON.stringify(allocationId)}.`,
    );
  return released;
}
