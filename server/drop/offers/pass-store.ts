import { sql } from 'kysely';
import type { DoorPasses } from '../../../contract/operator/drop/offers.ts';
import type { Database } from '../../db/database.ts';
import type { OfferRow } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';

const CLOCK = sql<Date>`clock_timestamp()`;

export async function hasRedeemed(transaction: Transaction, order: string): Promise<boolean> {
  const { rows } = await sql`
    select from offer where state = 'redeemed' and shop_order = ${order}
  `.execute(transaction);
  return rows.length > 0;
}

export async function insertPass(
  transaction: Transaction,
  pass: Pick<OfferRow, 'id' | 'drop_number' | 'member_id' | 'size' | 'wave' | 'code'> &
    Partial<Pick<OfferRow, 'state'>>,
): Promise<OfferRow> {
  return await transaction
    .insertInto('offer')
    .values({ state: 'accepted', ...pass, expires_at: CLOCK, settled_at: CLOCK })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function hasPass(
  transaction: Transaction,
  { drop_number, member_id }: Pick<OfferRow, 'drop_number' | 'member_id'>,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('offer')
    .select('id')
    .where('drop_number', '=', drop_number)
    .where('member_id', '=', member_id)
    .where('state', 'in', ['open', 'accepted', 'redeemed'])
    .executeTakeFirst();
  return row !== undefined;
}

/** Hashes of the passes of every drop, which a device compares with what it scans offline. */
export async function readDoorPasses({
  kysely,
}: Pick<Database, 'kysely'>): Promise<DoorPasses['passes']> {
  const { rows } = await sql<DoorPasses['passes'][number]>`
    select encode(sha256(convert_to(code, 'UTF8')), 'hex') as hash, size,
      state = 'redeemed' as is_used
    from offer where state in ('accepted', 'redeemed') order by hash
  `.execute(kysely);
  return rows;
}

/** `email` is null for a member who has left. */
export async function readPassHolder(
  transaction: Transaction,
  { drop_number, member_id }: Pick<OfferRow, 'drop_number' | 'member_id'>,
): Promise<{ email: string | null; position: number }> {
  return await transaction
    .selectFrom('entrant')
    .leftJoin('member', 'member.id', 'entrant.member_id')
    .select(['member.email', 'entrant.position'])
    .where('entrant.drop_number', '=', drop_number)
    .where('entrant.member_id', '=', member_id)
    .executeTakeFirstOrThrow();
}
