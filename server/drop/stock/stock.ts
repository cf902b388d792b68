import type { Brand } from '../../../brand/brand-shape.ts';
import type { Allocation, MaskSize } from '../../../contract/operator/masks.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import { conflict } from '../../problem.ts';
import { assertSizesFree } from '../drop-store.ts';
import {
  assertSizeName,
  describeDifference,
  findSize,
  heldFor,
  newSizes,
  sumStock,
} from './size-rules.ts';
import {
  deleteAllocation,
  deleteSize,
  insertAllocation,
  insertSizes,
  listSizes,
  orderSizes,
  readLockedSizes,
  updateSizeName,
  updateStock,
  writeRelease,
} from './store.ts';

/** Several servers may do so at once, at every start. Returns a warning, or null. */
export async function prepareSizes(
  database: Database,
  brand: Pick<Brand, 'sizes' | 'maskCount'>,
): Promise<string | null> {
  await inTransaction(database, async (transaction) => {
    await insertSizes(transaction, newSizes(brand, await readLockedSizes(transaction)));
    const names = brand.sizes.map(({ name }) => name);
    await orderSizes(transaction, names);
  });
  return describeDifference(brand, await listSizes(database));
}

/** `maskCount` is what the site promises. Throws Problem invalid_field or conflict. */
export async function setStock(
  transaction: Transaction,
  { size: name, stock, maskCount }: { size: string; stock: number; maskCount: number },
): Promise<{ before: MaskSize; after: MaskSize }> {
  const sizes = await readLockedSizes(transaction);
  const before = findSize(sizes, name);
  if (stock < before.allocated)
    throw conflict(`${before.allocated} of size ${before.name} are allocated: release some first.`);
  const taken = before.allocated + before.offered;
  if (stock < taken)
    throw conflict(
      `${before.offered} of size ${before.name} are offered to members, ` +
        `${before.allocated} are allocated: the stock cannot be less than ${taken}.`,
    );
  if (stock < taken + before.held) throw heldFor(before);
  const total = sumStock(sizes) - before.stock + stock;
  if (stock > before.stock && total > maskCount)
    throw conflict(
      `The site says that there are ${maskCount} masks, and this would make ${total}: ` +
        'change the stock in brand.ts first.',
    );
  await updateStock(transaction, before.name, stock);
  return { before, after: { ...before, stock, available: stock - taken } };
}

export async function renameSize(
  transaction: Transaction,
  { size: name, to }: { size: string; to: string },
): Promise<MaskSize> {
  assertSizeName('new name', to);
  const sizes = await readLockedSizes(transaction);
  await assertSizesFree(transaction);
  const size = findSize(sizes, name);
  assertFree(
    to,
    sizes.filter((other) => other.name !== size.name),
  );
  await updateSizeName(transaction, { from: size.name, to });
  return { ...size, name: to };
}

/** Operators type sizes in any case, so no two may differ in case alone. */
function assertFree(name: string, sizes: readonly MaskSize[]): void {
  const taken = sizes.find((size) => size.name.toLowerCase() === name.toLowerCase());
  if (taken !== undefined) throw conflict(`There is a size ${taken.name} already.`);
}

type StockUndo = { readonly size: string; readonly from: number; readonly to: number };

export function openSetStock({ maskCount }: Pick<Brand, 'maskCount'>): Operation<'set-stock'> {
  return {
    lock: 'sizes',
    async apply(transaction, { size, stock }) {
      const { before, after } = await setStock(transaction, { size, stock, maskCount });
      const undo: StockUndo = { size, from: before.stock, to: stock };
      return {
        sentences: [
          `The stock of ${size} goes from ${before.stock} to ${stock}.`,
          `${after.available} of them are available, ${after.allocated} are allocated.`,
        ],
        counts: { before: before.stock, after: stock, available: after.available },
        summary: `The stock of ${size} went from ${before.stock} to ${stock}.`,
        subject: { kind: 'size', id: size },
        details: undo,
        undo,
      };
    },
    async undo(transaction, { size, from, to }: StockUndo) {
      const { before } = await setStock(transaction, { size, stock: from, maskCount });
      if (before.stock !== to)
        throw conflict(`The stock of ${size} is ${before.stock} by now, not ${to}.`);
      return { summary: `The stock of ${size} went back from ${to} to ${from}.` };
    },
  };
}

export const renameSizeOperation: Operation<'rename-size'> = {
  lock: 'sizes',
  async apply(transaction, { size, name }) {
    const { stock } = await renameSize(transaction, { size, to: name });
    return {
      sentences: [
        `The size ${size} is called ${name}, with its stock of ${stock} and its allocations.`,
        'The site shows what the brand file says: change it there, too.',
      ],
      counts: { stock },
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

export function openRemoveSize(
  brand: Pick<Brand, 'sizes' | 'maskCount'>,
): Operation<'remove-size'> {
  return {
    lock: 'sizes',
    async apply(transaction, { size: wanted }) {
      const size = findSize(await readLockedSizes(transaction), wanted);
      const { name, stock, allocated, offered } = size;
      if (allocated > 0)
        throw conflict(`${allocated} of size ${name} are allocated: release them first.`);
      if (offered > 0) throw conflict(`${offered} of size ${name} are offered to members.`);
      if (brand.sizes.some((shown) => shown.name === name))
        throw conflict(
          `The site shows the size ${name}: take it out of brand.ts, and start again, first.`,
        );
      await assertSizesFree(transaction);
      await deleteSize(transaction, name);
      return {
        sentences: [`The size ${name} and its stock of ${countOf(stock, 'mask')} go.`],
        counts: { stock },
        summary: `The size ${name} and its stock of ${countOf(stock, 'mask')} were removed.`,
        subject: { kind: 'size', id: name },
        details: { stock },
        undo: { name, stock },
      };
    },
    async undo(transaction, { name, stock }: { name: string; stock: number }) {
      const sizes = await readLockedSizes(transaction);
      assertFree(name, sizes);
      const total = sumStock(sizes) + stock;
      if (total > brand.maskCount)
        throw conflict(
          `The site says that there are ${brand.maskCount} masks, and this would make ${total}.`,
        );
      await insertSizes(transaction, [{ name, stock }]);
      return { summary: `The size ${name} came back with ${countOf(stock, 'mask')}.` };
    },
  };
}

const ALLOCATION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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
  async apply(transaction, { size, quantity, note }) {
    assertAvailable(findSize(await readLockedSizes(transaction), size), quantity);
    const allocation = await insertAllocation(transaction, { size, quantity, note });
    const { id } = allocation;
    return {
      sentences: [`${masksOf(allocation, IS)} set aside: ${note}`],
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
  async apply(transaction, { allocation_id: id, note }) {
    const allocation = ALLOCATION_ID.test(id)
      ? await writeRelease(transaction, { id, note })
      : null;
    if (allocation === null)
      throw conflict(`There is no unreleased allocation ${JSON.stringify(id)}.`);
    const { size, quantity } = allocation;
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
    const size = (await readLockedSizes(transaction)).find((candidate) => candidate.name === name);
    if (size === undefined) throw conflict(`There is no size ${name} any more.`);
    assertAvailable(size, quantity);
    await writeRelease(transaction, { id, note: null });
    return { summary: `${masksOf(allocation, WAS)} allocated again.` };
  },
};
