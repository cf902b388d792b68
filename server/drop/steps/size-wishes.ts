import type { SizeWishView } from '../../../contract/drop/drop-views.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, invalidField } from '../../problem.ts';
import { getDrop, lockDrop } from '../drop-store.ts';
import { readWish, type SizeWish, upsertWish } from '../entrant-store.ts';
import { findSize } from '../stock/size-rules.ts';
import { listSizes } from '../stock/store.ts';

/** Null for an unknown member. */
export async function getWish(database: Database, memberId: string): Promise<SizeWishView | null> {
  const wish = await readWish(database, memberId);
  if (wish === null) return null;
  const { state } = await getDrop(database);
  const sizes = await listSizes(database);
  return { ...wish, choices: sizes.map(({ name }) => name), is_open: state === 'open' };
}

export async function setWish(
  database: Database,
  memberId: string,
  { sizes, takes_any }: SizeWish,
): Promise<void> {
  if (new Set(sizes).size < sizes.length) throw invalidField('A size is named twice.');
  if (sizes.length === 0 && !takes_any) throw invalidField('A member takes at least one size.');
  await inTransaction(database, async (transaction) => {
    const { state } = await lockDrop(transaction);
    if (state !== 'open') throw conflict('The line is frozen: sizes can no longer be changed.');
    const allSizes = await listSizes({ kysely: transaction });
    for (const size of sizes) findSize(allSizes, size);
    await upsertWish(transaction, memberId, { sizes, takes_any });
  });
}
