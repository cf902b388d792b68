import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { allocateAgain, allocateMasks, releaseMasks, withdrawAllocation } from './allocations.ts';
import type { Allocation } from './mask-size.ts';

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

/** Masks that were set aside are available again. */
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
