import { sql } from 'kysely';
import type { SizeWishView } from '../../../contract/drop/drop-views.ts';
import type { Reader } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';

export type SizeWish = Pick<SizeWishView, 'sizes' | 'takes_any'>;

export async function isMember({ kysely }: Reader, id: string): Promise<boolean> {
  const row = await kysely
    .selectFrom('member')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

export async function readWish({ kysely }: Reader, memberId: string): Promise<SizeWish | null> {
  const row = await kysely
    .selectFrom('size_wish')
    .select(['sizes', 'takes_any'])
    .where('member_id', '=', memberId)
    .executeTakeFirst();
  return row ?? null;
}

export async function upsertWish(
  transaction: Transaction,
  memberId: string,
  { sizes, takes_any }: SizeWish,
): Promise<void> {
  const wish = { sizes, takes_any, wished_at: sql<Date>`clock_timestamp()` };
  await transaction
    .insertInto('size_wish')
    .values({ member_id: memberId, ...wish })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet(wish))
    .execute();
}
