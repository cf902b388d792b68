import { sql } from 'kysely';
import type { Allocation, MaskSize } from '../../../contract/operator/masks.ts';
import type { Database, Reader } from '../../db/database.ts';
import { isoRow } from '../../db/iso-time.ts';
import { all } from '../../db/rows.ts';
import { lock, type Transaction } from '../../db/transaction.ts';
import { TAKES_MASK } from '../offers/offer-store.ts';

/** Sizes without held masks: the stats do without, and each read of them is planned anew. */
export const TAKEN_SIZES = sql`
  select mask_size.*, allocation.allocated, taken.offered, taken.accepted from mask_size
  cross join lateral (
    select coalesce(sum(quantity), 0) as allocated from allocation
    where size = mask_size.name and released_at is null
  ) allocation
  cross join lateral (
    select count(*) as offered, count(*) filter (where state <> 'open') as accepted
    from offer where size = mask_size.name and ${TAKES_MASK}
  ) taken`;

/** Held masks are announced and not offered. */
export function listSizes({ kysely }: Reader) {
  return all<MaskSize>(kysely)`
    select name, stock, allocated, offered, accepted, stock - allocated - offered as available, (
      select greatest(0, least(
        stock - allocated - offered,
        coalesce(sum(announced.masks), 0) - (
          select count(*) from offer where drop_number = last_drop.number and size = sized.name
            and ${TAKES_MASK})
      ))
      from (select * from mask_drop order by number desc limit 1) last_drop
      left join lateral jsonb_to_recordset(coalesce(amendments -> -1, announcement) -> 'masks')
          as announced (size text, masks integer)
        on announced.size = sized.name and last_drop.state <> 'closed'
      group by last_drop.number
    ) as held
    from (${TAKEN_SIZES}) sized order by ordinal, name
  `;
}

/** All sizes are locked: together they must not hold more than the site promises. */
export async function readLockedSizes(transaction: Transaction): Promise<MaskSize[]> {
  await lock(transaction, 'sizes');
  return await listSizes({ kysely: transaction });
}

export async function updateStock(
  transaction: Transaction,
  size: string,
  stock: number,
): Promise<void> {
  await transaction.updateTable('mask_size').set({ stock }).where('name', '=', size).execute();
}

export async function insertAllocation(
  transaction: Transaction,
  allocation: { size: string; quantity: number; note: string },
): Promise<Allocation> {
  const row = await transaction
    .insertInto('allocation')
    .values(allocation)
    .returningAll()
    .executeTakeFirstOrThrow();
  return isoRow(row);
}

/** A note releases masks, and null takes a release back. Returns null if nothing changed. */
export async function writeRelease(
  transaction: Transaction,
  { id, note }: { id: string; note: string | null },
): Promise<Allocation | null> {
  const row = await transaction
    .updateTable('allocation')
    .set({ released_at: note === null ? null : sql<Date>`clock_timestamp()`, release_note: note })
    .where('id', '=', id)
    .where('released_at', note === null ? 'is not' : 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ? isoRow(row) : null;
}

export async function deleteAllocation(
  transaction: Transaction,
  id: string,
): Promise<Allocation | null> {
  const row = await transaction
    .deleteFrom('allocation')
    .where('id', '=', id)
    .where('released_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ? isoRow(row) : null;
}

export async function listAllocations({ kysely }: Database): Promise<Allocation[]> {
  const rows = await kysely
    .selectFrom('allocation')
    .selectAll()
    .orderBy('allocated_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(isoRow);
}

export async function insertSizes(
  transaction: Transaction,
  sizes: readonly { name: string; stock: number }[],
): Promise<void> {
  if (sizes.length === 0) return;
  await transaction
    .insertInto('mask_size')
    .values(sizes.map((size) => ({ ...size, ordinal: 0 })))
    .execute();
}

/** Sets the order in which sizes are listed. Unknown names change nothing. */
export async function orderSizes(
  transaction: Transaction,
  names: readonly string[],
): Promise<void> {
  for (const [ordinal, name] of names.entries())
    await transaction
      .updateTable('mask_size')
      .set({ ordinal })
      .where('name', '=', name)
      .where('ordinal', '<>', ordinal)
      .execute();
}

export async function updateSizeName(
  transaction: Transaction,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await transaction.updateTable('mask_size').set({ name: to }).where('name', '=', from).execute();
  for (const table of ['allocation', 'offer', 'shop_code'] as const)
    await transaction.updateTable(table).set({ size: to }).where('size', '=', from).execute();
  await transaction
    .updateTable('size_wish')
    .set({ sizes: sql<string[]>`array_replace(sizes, ${from}, ${to})` })
    .where(sql<boolean>`${from} = any(sizes)`)
    .execute();
}

export async function deleteSize(transaction: Transaction, size: string): Promise<void> {
  await transaction.deleteFrom('mask_size').where('name', '=', size).execute();
}
