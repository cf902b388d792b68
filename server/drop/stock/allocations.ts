/** Masks set aside for someone: they no longer count as available. */

import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Transaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { assertPieces, assertStorable, findSize } from './mask-problems.ts';
import type { Allocation, MaskSize } from './size-rules.ts';
import {
  clearRelease,
  deleteAllocation,
  insertAllocation,
  readLockedSizes,
  releaseAllocation,
} from './store.ts';

export { readAllocations as listAllocations } from './store.ts';

const ALLOCATION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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
async function withdrawAllocation(
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
async function allocateAgain(
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

/** "1 mask of size Small was", "2 masks of size Small were". */
const masksOf = (
  { quantity, size }: Pick<Allocation, 'quantity' | 'size'>,
  [one, more]: readonly [string, string],
) => `${countOf(quantity, 'mask')} of size ${size} ${quantity === 1 ? one : more}`;
const WAS = ['was', 'were'] as const;
const IS = ['is', 'are'] as const;

/** Masks are set aside: fewer remain. The note, which may name somebody, is not in the log. */
export const allocateMasksOperation: Operation<'allocate-masks'> = {
  kind: 'allocate-masks',
  lock: 'sizes',
  async apply(transaction, wanted) {
    const allocation = await allocateMasks(transaction, wanted);
    const { id, size, quantity } = allocation;
    return {
      effects: {
        sentences: [`${masksOf(allocation, IS)} set aside: ${allocation.note}`],
        counts: { quantity },
      },
      summary: `${masksOf(allocation, WAS)} allocated.`,
      subject: { kind: 'allocation', id },
      details: { size, quantity },
      undo: { id },
    };
  },
  async undo(transaction, { id }: { id: string }) {
    const withdrawn = await withdrawAllocation(transaction, id);
    return { summary: `${masksOf(withdrawn, IS)} allocated no more.` };
  },
};

export const releaseMasksOperation: Operation<'release-masks'> = {
  kind: 'release-masks',
  lock: 'sizes',
  async apply(transaction, { allocation_id: allocationId, note }) {
    const allocation = await releaseMasks(transaction, { allocationId, note });
    const { id, size, quantity } = allocation;
    return {
      effects: {
        sentences: [
          `${masksOf(allocation, IS)} available again, set aside for: ${allocation.note}`,
        ],
        counts: { quantity },
      },
      summary: `${masksOf(allocation, WAS)} released.`,
      subject: { kind: 'allocation', id },
      details: { size, quantity },
      undo: { id, size, quantity },
    };
  },
  async undo(transaction, allocation: Pick<Allocation, 'id' | 'size' | 'quantity'>) {
    await allocateAgain(transaction, allocation);
    return { summary: `${masksOf(allocation, WAS)} allocated again.` };
  },
};
