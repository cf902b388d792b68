import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { AllocationRow, Tables } from '../db/schema/tables.ts';
import type { Allocation, MaskSize } from './mask-size.ts';

/** In the order of the brand file. */
export async function readSizes({ kysely }: Pick<Database, 'kysely'>): Promise<MaskSize[]> {
  const { rows } = await sql<Omit<MaskSize, 'available'>>`
    select mask_size.name, mask_size.stock,
      coalesce(sum(allocation.quantity) filter (where allocation.released_at is null), 0)::bigint as allocated
    from mask_size left join allocation on allocation.size = mask_size.name
    group by mask_size.name
    order by mask_size.ordinal, mask_size.name
  `.execute(kysely);
  return rows.map((row) => ({ ...row, available: row.stock - row.allocated }));
}

/**
 * Runs `work` while nobody else changes the size's stock or allocations. `size` is undefined when
 * there is no size of that name.
 */
export async function withLockedSize<T>(
  { kysely }: Database,
  name: string,
  work: (transaction: Transaction<Tables>, size: MaskSize | undefined) => Promise<T>,
): Promise<T> {
  return await kysely.transaction().execute(async (transaction) => {
    await transaction
      .selectFrom('mask_size')
      .select('name')
      .where('name', '=', name)
      .forUpdate()
      .execute();
    const sizes = await readSizes({ kysely: transaction });
    return await work(
      transaction,
      sizes.find((size) => size.name === name),
    );
  });
}

export async function updateStock(
  transaction: Transaction<Tables>,
  size: string,
  stock: number,
): Promise<void> {
  await transaction.updateTable('mask_size').set({ stock }).where('name', '=', size).execute();
}

export async function insertAllocation(
  transaction: Transaction<Tables>,
  allocation: { size: string; quantity: number; note: string },
): Promise<Allocation> {
  const row = await transaction
    .insertInto('allocation')
    .values(allocation)
    .returningAll()
    .executeTakeFirstOrThrow();
  return allocationOf(row);
}

/** The released allocation; null when it is unknown or was released before. */
export async function releaseAllocation(
  { kysely }: Database,
  { id, note }: { id: string; note: string },
): Promise<Allocation | null> {
  const row = await kysely
    .updateTable('allocation')
    .set({ released_at: sql<Date>`clock_timestamp()`, release_note: note })
    .where('id', '=', id)
    .where('released_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ? allocationOf(row) : null;
}

/** Newest first, released ones included. */
export async function readAllocations({ kysely }: Database): Promise<Allocation[]> {
  const rows = await kysely
    .selectFrom('allocation')
    .selectAll()
    .orderBy('allocated_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(allocationOf);
}

/** Leaves sizes alone that exist: the operator may have changed their stock. */
export async function insertNewSizes(
  { kysely }: Database,
  sizes: readonly { name: string; stock: number }[],
): Promise<void> {
  if (sizes.length === 0) return;
  await kysely
    .insertInto('mask_size')
    .values(sizes.map((size, ordinal) => ({ ...size, ordinal })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function allocationOf(row: AllocationRow): Allocation {
  return {
    id: row.id,
    size: row.size,
    quantity: row.quantity,
    note: row.note,
    allocatedAt: row.allocated_at.toISOString(),
    releasedAt: row.released_at?.toISOString() ?? null,
    releaseNote: row.release_note,
  };
}
