/** Masks set aside for someone: they no longer count as available. */
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { assertPieces, assertStorable, findSize } from './mask-problems.ts';
import type { Allocation, MaskSize } from './mask-size.ts';
import {
  clearRelease,
  deleteAllocation,
  insertAllocation,
  readAllocations,
  readLockedSizes,
  releaseAllocation,
} from './store.ts';

const ALLOCATION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Newest first, released ones included. */
export async function listAllocations(database: Database): Promise<Allocation[]> {
  return await readAllocations(database);
}

/** Throws Problem invalid_field, or conflict when fewer masks are available. */
export async function allocateMasks(
  transaction: Transaction,
  { size: name, quantity, note }: { size: string; quantity: number; note: string },
): Promise<Allocation> {
  assertPieces('quantity', quantity, 1);
  assertStorable('size', name);
  assertStorable('note', note);
  const size = findSize(await readLockedSizes(transaction), name);
  assertAvailable(size, quantity);
  return await insertAllocation(transaction, { size: size.name, quantity, note });
}

/** Makes the masks available again. Throws Problem conflict if unknown or released already. */
export async function releaseMasks(
  transaction: Transaction,
  { allocationId, note }: { allocationId: string; note: string },
): Promise<Allocation> {
  assertStorable('note', note);
  await readLockedSizes(transaction);
  const released = ALLOCATION_ID.test(allocationId)
    ? await releaseAllocation(transaction, { id: allocationId, note })
    : null;
  if (released === null)
    throw new Problem(
      'conflict',
      `There is no unreleased allocation ${JSON.stringify(allocationId)}.`,
    );
  return released;
}

/**
 * For an undo: as if the masks had never been allocated. Throws Problem conflict when they were
 * released since.
 */
export async function withdrawAllocation(
  transaction: Transaction,
  allocationId: string,
): Promise<Allocation> {
  await readLockedSizes(transaction);
  const withdrawn = await deleteAllocation(transaction, allocationId);
  if (withdrawn === null) throw new Problem('conflict', 'These masks have since been released.');
  return withdrawn;
}

/**
 * For an undo: the masks are set aside again. Throws Problem conflict when the size is gone, or
 * when too few of it are left.
 */
export async function allocateAgain(
  transaction: Transaction,
  { id, size: name, quantity }: Pick<Allocation, 'id' | 'size' | 'quantity'>,
): Promise<void> {
  const sizes = await readLockedSizes(transaction);
  const size = sizes.find((one) => one.name === name);
  if (size === undefined) throw new Problem('conflict', `There is no size ${name} any more.`);
  assertAvailable(size, quantity);
  await clearRelease(transaction, id);
}

function assertAvailable({ name, available }: MaskSize, quantity: number): void {
  if (quantity > available)
    throw new Problem(
      'conflict',
      `Only ${available} of size ${name} are available, not ${quantity}.`,
    );
}
