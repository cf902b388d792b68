import type { Brand } from '../../../brand/brand-shape.ts';
import { setStock } from '../../drop/stock.ts';
import { Problem } from '../../problem.ts';
import type { Verb } from './change.ts';

type Undo = { readonly size: string; readonly from: number; readonly to: number };

/** How many masks of a size exist: never fewer than are allocated. */
export function openSetStock({ maskCount }: Pick<Brand, 'maskCount'>): Verb<'set-stock'> {
  return {
    kind: 'set-stock',
    lock: 'sizes',
    async apply(transaction, { size, stock }) {
      const { before, after } = await setStock(transaction, { size, stock, maskCount });
      const undo: Undo = { size, from: before.stock, to: stock };
      return {
        effects: {
          sentences: [
            `The stock of ${size} goes from ${before.stock} to ${stock}.`,
            `${after.available} of them are available, ${after.allocated} are allocated.`,
          ],
          counts: { before: before.stock, after: stock, available: after.available },
        },
        summary: `The stock of ${size} went from ${before.stock} to ${stock}.`,
        subject: { kind: 'size', id: size },
        details: undo,
        undo,
      };
    },
    async undo(transaction, { size, from, to }: Undo) {
      const { before } = await setStock(transaction, { size, stock: from, maskCount });
      if (before.stock !== to)
        throw new Problem('conflict', `The stock of ${size} is ${before.stock} by now, not ${to}.`);
      return { summary: `The stock of ${size} went back from ${to} to ${from}.` };
    },
  };
}
