import type { ChangeInput } from '../../../contract/operator/changes.ts';
import type { Allocation, MaskSize } from '../../../contract/operator/masks.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Transaction } from '../../db/transaction.ts';
import { conflict } from '../../problem.ts';
import { findSize, heldFor } from './size-rules.ts';
import { deleteAllocation, insertAllocation, readLockedSizes, writeRelease } from './store.ts';

const ALLOCATION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function allocateMasks(
  transaction: Transaction,
  { size: name, quantity, note }: ChangeInput<'allocate-masks'>,
): Promise<Allocation> {
  const size = findSize(await readLockedSizes(transaction), name);
  assertAvailable(size, quantity);
  return await insertAllocation(transaction, { size: size.name, quantity, note });
}

export async function releaseMasks(
  transaction: Transaction,
  { allocation_id: id, note }: ChangeInput<'release-masks'>,
): Promise<Allocation> {
  const released = ALLOCATION_ID.test(id) ? await writeRelease(transaction, { id, note }) : null;
  if (released === null) throw conflict(`There is no unreleased allocation ${JSON.stringify(id)}.`);
  return released;
}

function assertAvailable({ name, available, held }: MaskSize, quantity: number): void {
  if (quantity > available - held && quantity <= available) throw heldFor({ name, held });
  if (quantity > available)
    throw conflict(`Only ${available} of size ${name} are available, not ${quantity}.`);
}

const masksOf = (
  { quantity, size }: Pick<Allocation, 'quantity' | 'size'>,
  [one, more]: readonly [string, string],
) => `${countOf(quantity, 'mask')} of size ${size} ${quantity === 1 ? one : more}`;
const WAS = ['was', 'were'] as const;
const IS = ['is', 'are'] as const;

/** The note, which may name somebody, is not in the log. */
export const allocateMasksOperation: Operation<'allocate-masks'> = {
  lock: 'sizes',
  async apply(transaction, wanted) {
    const allocation = await allocateMasks(transaction, wanted);
    const { id, size, quantity } = allocation;
    return {
      sentences: [`${masksOf(allocation, IS)} set aside: ${allocation.note}`],
      counts: { quantity },
      summary: `${masksOf(allocation, WAS)} allocated.`,
      subject: { kind: 'allocation', id },
      details: { size, quantity },
      undo: { id },
    };
  },
  async undo(transaction, { id }: { id: string }) {
    const withdrawn = await deleteAllocation(transaction, id);
    if (withdrawn === null) throw conflict('These masks have since been released.');
    return { summary: `${masksOf(withdrawn, IS)} allocated no more.` };
  },
};

export const releaseMasksOperation: Operation<'release-masks'> = {
  lock: 'sizes',
  async apply(transaction, wanted) {
    const allocation = await releaseMasks(transaction, wanted);
    const { id, size, quantity } = allocation;
    return {
      sentences: [`${masksOf(allocation, IS)} available again, set aside for: ${allocation.note}`],
      counts: { quantity },
      summary: `${masksOf(allocation, WAS)} released.`,
      subject: { kind: 'allocation', id },
      details: { size, quantity },
      undo: { id, size, quantity },
    };
  },
  async undo(transaction, allocation: Pick<Allocation, 'id' | 'size' | 'quantity'>) {
    const { id, size: name, quantity } = allocation;
    const size = (await readLockedSizes(transaction)).find((one) => one.name === name);
    if (size === undefined) throw conflict(`There is no size ${name} any more.`);
    assertAvailable(size, quantity);
    await writeRelease(transaction, { id, note: null });
    return { summary: `${masksOf(allocation, WAS)} allocated again.` };
  },
};
