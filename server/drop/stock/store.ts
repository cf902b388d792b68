import { type Selectable, sql } from 'kysely';
import type { Allocation, MaskSize } from '../../../contract/operator/masks.ts';
import type { Database, Reader } from '../../db/database.ts';
import { isoRow } from '../../db/iso-time.ts';
import { all, first, only, run } from '../../db/rows.ts';
import type { FeatureTables } from '../../db/schema/feature-tables.ts';
import { lock, type Transaction } from '../../db/transaction.ts';
import { TAKES_MASK } from '../drop-store.ts';

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

type AllocationRow = Selectable<FeatureTables['allocation']>;

export function updateStock(transaction: Transaction, size: string, stock: number) {
  return run(transaction)`update mask_size set stock = ${stock} where name = ${size}`;
}

export async function insertAllocation(
  transaction: Transaction,
  { size, quantity, note }: { size: string; quantity: number; note: string },
): Promise<Allocation> {
  const row = await only<AllocationRow>(transaction)`
    insert into allocation (size, quantity, note) values (${size}, ${quantity}, ${note})
    returning *
  `;
  return isoRow(row);
}

/** A note releases masks, and null takes a release back. Returns null if nothing changed. */
export async function writeRelease(
  transaction: Transaction,
  { id, note }: { id: string; note: string | null },
): Promise<Allocation | null> {
  const row = await first<AllocationRow>(transaction)`
    update allocation set release_note = ${note}::text,
      released_at = case when ${note}::text is not null then clock_timestamp() end
    where id = ${id} and (released_at is null) = (${note}::text is not null)
    returning *
  `;
  return row && isoRow(row);
}

export async function deleteAllocation(
  transaction: Transaction,
  id: string,
): Promise<Allocation | null> {
  const row = await first<AllocationRow>(transaction)`
    delete from allocation where id = ${id} and released_at is null returning *
  `;
  return row && isoRow(row);
}

export async function listAllocations({ kysely }: Database): Promise<Allocation[]> {
  const rows = await all<AllocationRow>(kysely)`
    select * from allocation order by allocated_at desc, id
  `;
  return rows.map(isoRow);
}

export function insertSizes(
  transaction: Transaction,
  sizes: readonly { name: string; stock: number }[],
) {
  return run(transaction)`
    insert into mask_size (name, stock, ordinal)
    select name, stock, 0 from json_to_recordset(${JSON.stringify(sizes)})
      as size (name text, stock integer)
  `;
}

/** Sets the order in which sizes are listed. Unknown names change nothing. */
export function orderSizes(transaction: Transaction, names: readonly string[]) {
  return run(transaction)`
    update mask_size set ordinal = place.ordinal - 1
    from unnest(${names}::text[]) with ordinality as place (name, ordinal)
    where mask_size.name = place.name and mask_size.ordinal <> place.ordinal - 1
  `;
}

export async function updateSizeName(
  transaction: Transaction,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await run(transaction)`update mask_size set name = ${to} where name = ${from}`;
  for (const table of ['allocation', 'offer', 'shop_code'])
    await run(transaction)`update ${sql.table(table)} set size = ${to} where size = ${from}`;
  await run(transaction)`
    update size_wish set sizes = array_replace(sizes, ${from}, ${to}) where ${from} = any(sizes)
  `;
}

export function deleteSize(transaction: Transaction, size: string) {
  return run(transaction)`delete from mask_size where name = ${size}`;
}
