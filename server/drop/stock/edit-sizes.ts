/** Renaming and removing sizes, after the brand file has. */
import type { Brand } from '../../../brand/brand-shape.ts';
import type { Transaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { assertSizesFree } from '../steps/drop-state.ts';
import { assertSizeName, assertStorable, findSize } from './mask-problems.ts';
import type { MaskSize } from './mask-size.ts';
import { sumStock } from './size-rules.ts';
import { deleteSize, insertSizes, readLockedSizes, updateSizeName } from './store.ts';

/**
 * Its stock and allocations stay. Throws Problem invalid_field, or conflict for a taken name, or
 * while a drop needs the names.
 */
export async function renameSize(
  transaction: Transaction,
  { size: name, to }: { size: string; to: string },
): Promise<MaskSize> {
  assertStorable('size', name);
  assertSizeName('new name', to);
  const sizes = await readLockedSizes(transaction);
  await assertSizesFree(transaction);
  const size = findSize(sizes, name);
  assertFree(
    to,
    sizes.filter((one) => one.name !== size.name),
  );
  await updateSizeName(transaction, { from: size.name, to });
  return { ...size, name: to };
}

/**
 * Returns the size as it was; records of released allocations stay. Throws Problem invalid_field,
 * or conflict while masks of it are allocated or offered, or the site shows it.
 */
export async function removeSize(
  transaction: Transaction,
  { size: name, brand }: { size: string; brand: Pick<Brand, 'sizes'> },
): Promise<MaskSize> {
  assertStorable('size', name);
  const size = findSize(await readLockedSizes(transaction), name);
  if (size.allocated > 0)
    throw new Problem(
      'conflict',
      `${size.allocated} of size ${size.name} are allocated: release them first.`,
    );
  if (size.offered > 0)
    throw new Problem('conflict', `${size.offered} of size ${size.name} are offered to members.`);
  if (brand.sizes.some((shown) => shown.name === size.name))
    throw new Problem(
      'conflict',
      `The site shows the size ${size.name}: take it out of brand.ts, and start again, first.`,
    );
  await assertSizesFree(transaction);
  await deleteSize(transaction, size.name);
  return size;
}

/**
 * For an undo: a removed size is there again, after all others. Throws Problem conflict when the
 * name is taken, or when the line would hold more masks than the site promises.
 */
export async function restoreSize(
  transaction: Transaction,
  { name, stock, maskCount }: { name: string; stock: number; maskCount: number },
): Promise<void> {
  const sizes = await readLockedSizes(transaction);
  assertFree(name, sizes);
  const total = sumStock(sizes) + stock;
  if (total > maskCount)
    throw new Problem(
      'conflict',
      `The site says that there are ${maskCount} masks, and this would make ${total}.`,
    );
  await insertSizes(transaction, [{ name, stock }]);
}

function assertFree(name: string, sizes: readonly MaskSize[]): void {
  const taken = sizes.find((one) => isSameName(one.name, name));
  if (taken !== undefined) throw new Problem('conflict', `There is a size ${taken.name} already.`);
}

/** Operators type sizes in any case, so no two may differ in case alone. */
function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
