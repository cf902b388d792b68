/** Renaming and removing sizes, after the brand file has. */
import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import { Problem } from '../problem.ts';
import { assertSizeName, assertStorable, findSize } from './mask-problems.ts';
import type { MaskSize } from './mask-size.ts';
import { deleteSize, updateSizeName, withLockedSizes } from './store.ts';

/** Its stock and allocations stay. Throws Problem invalid_field, or conflict for a taken name. */
export async function renameSize(
  database: Database,
  { size: name, to }: { size: string; to: string },
): Promise<MaskSize> {
  assertStorable('size', name);
  assertSizeName('new name', to);
  return await withLockedSizes(database, async (transaction, sizes) => {
    const size = findSize(sizes, name);
    const taken = sizes.find((one) => one.name !== size.name && isSameName(one.name, to));
    if (taken !== undefined)
      throw new Problem('conflict', `There is a size ${taken.name} already.`);
    await updateSizeName(transaction, { from: size.name, to });
    return { ...size, name: to };
  });
}

/**
 * Returns the size as it was; records of released allocations stay. Throws Problem invalid_field,
 * or conflict while masks of it are allocated or the site shows it.
 */
export async function removeSize(
  database: Database,
  { size: name, brand }: { size: string; brand: Pick<Brand, 'sizes'> },
): Promise<MaskSize> {
  assertStorable('size', name);
  return await withLockedSizes(database, async (transaction, sizes) => {
    const size = findSize(sizes, name);
    if (size.allocated > 0)
      throw new Problem(
        'conflict',
        `${size.allocated} of size ${size.name} are allocated: release them first.`,
      );
    if (brand.sizes.some((shown) => shown.name === size.name))
      throw new Problem(
        'conflict',
        `The site shows the size ${size.name}: take it out of brand.ts, and start again, first.`,
      );
    await deleteSize(transaction, size.name);
    return size;
  });
}

/** Operators type sizes in any case, so no two may differ in case alone. */
function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
