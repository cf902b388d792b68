import type { Brand } from '../../../brand/brand-shape.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { Problem } from '../../problem.ts';
import { removeSize, renameSize, restoreSize } from './edit-sizes.ts';
import { setStock } from './stock.ts';

type StockUndo = { readonly size: string; readonly from: number; readonly to: number };

/** How many masks of a size exist: never fewer than are allocated. */
export function openSetStock({ maskCount }: Pick<Brand, 'maskCount'>): Operation<'set-stock'> {
  return {
    kind: 'set-stock',
    lock: 'sizes',
    async apply(transaction, { size, stock }) {
      const { before, after } = await setStock(transaction, { size, stock, maskCount });
      const undo: StockUndo = { size, from: before.stock, to: stock };
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
    async undo(transaction, { size, from, to }: StockUndo) {
      const { before } = await setStock(transaction, { size, stock: from, maskCount });
      if (before.stock !== to)
        throw new Problem('conflict', `The stock of ${size} is ${before.stock} by now, not ${to}.`);
      return { summary: `The stock of ${size} went back from ${to} to ${from}.` };
    },
  };
}

/** A size gets another name, with its stock and allocations. */
export const renameSizeOperation: Operation<'rename-size'> = {
  kind: 'rename-size',
  lock: 'sizes',
  async apply(transaction, { size, name }) {
    const { stock } = await renameSize(transaction, { size, to: name });
    return {
      effects: {
        sentences: [
          `The size ${size} is called ${name}, with its stock of ${stock} and its allocations.`,
          'The site shows what the brand file says: change it there, too.',
        ],
        counts: { stock },
      },
      summary: `The size ${size} was renamed to ${name}.`,
      subject: { kind: 'size', id: size },
      details: { from: size, to: name },
      undo: { size, name },
    };
  },
  async undo(transaction, { size, name }: { size: string; name: string }) {
    await renameSize(transaction, { size: name, to: size });
    return { summary: `The size ${name} was renamed back to ${size}.` };
  },
};

/** Removes a size that the site no longer shows and that has no allocations. */
export function openRemoveSize(
  brand: Pick<Brand, 'sizes' | 'maskCount'>,
): Operation<'remove-size'> {
  return {
    kind: 'remove-size',
    lock: 'sizes',
    async apply(transaction, { size }) {
      const { name, stock } = await removeSize(transaction, { size, brand });
      return {
        effects: {
          sentences: [`The size ${name} and its stock of ${countOf(stock, 'mask')} go.`],
          counts: { stock },
        },
        summary: `The size ${name} and its stock of ${countOf(stock, 'mask')} were removed.`,
        subject: { kind: 'size', id: name },
        details: { stock },
        undo: { name, stock },
      };
    },
    async undo(transaction, { name, stock }: { name: string; stock: number }) {
      await restoreSize(transaction, { name, stock, maskCount: brand.maskCount });
      return { summary: `The size ${name} came back with ${countOf(stock, 'mask')}.` };
    },
  };
}
