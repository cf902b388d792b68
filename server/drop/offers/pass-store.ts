import { sql } from 'kysely';
import type { DoorPasses, ScannedPass } from '../../../contract/operator/drop/offers.ts';
import type { Reader } from '../../db/database.ts';
import type { OfferRow } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import { IS_PASS, TAKES_MASK } from './offer-store.ts';

const CLOCK = sql<Date>`clock_timestamp()`;
/** All that was paid for the pass went back, and no owner has said yet what about its mask. */
export const WENT_BACK = sql<boolean>`exists (
  select from till_payment paid where paid.offer_id = offer.id and paid.reference = offer.shop_order
    and paid.state = 'by_hand' and refunded_cents + disputed_cents >= cents)`;

export async function hasRedeemed(transaction: Transaction, order: string): Promise<boolean> {
  const { rows } = await sql`
    select from offer where ${IS_PASS} and shop_order = ${order}
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
    .where(sql<boolean>`${TAKES_MASK}`)
    .executeTakeFirst();
  return row !== undefined;
}

export async function readDoorPasses(
  { kysely }: Reader,
  { onlyPaid }: { onlyPaid: boolean },
): Promise<DoorPasses['passes']> {
  const { rows } = await sql<DoorPasses['passes'][number]>`
    select encode(sha256(convert_to(code, 'UTF8')), 'hex') as hash, size,
      drop_number as drop, case
        when state in ('handed_over', 'sent') then 'used'
        when state = 'accepted' and ${onlyPaid} or ${WENT_BACK} then 'unpaid' else 'ready'
        end as state
    from offer where ${IS_PASS} order by hash
  `.execute(kysely);
  return rows;
}

export async function hasGoneBack(transaction: Transaction, offerId: string): Promise<boolean> {
  const { rows } = await sql`
    select from offer where id = ${offerId}::uuid and ${WENT_BACK}`.execute(transaction);
  return rows.length > 0;
}

type PassHolder = Pick<ScannedPass, 'email' | 'position'> & {
  readonly sent_at: Date | null;
  readonly carrier: string | null;
};

export async function readPassHolder(
  transaction: Transaction,
  { id, drop_number, member_id }: Pick<OfferRow, 'id' | 'drop_number' | 'member_id'>,
): Promise<PassHolder> {
  return await transaction
    .selectFrom('entrant')
    .leftJoin('member', 'member.id', 'entrant.member_id')
    .leftJoin('parcel', (join) => join.on('parcel.offer_id', '=', id))
    .select(['member.email', 'entrant.position', 'sent_at', 'carrier'])
    .where('entrant.drop_number', '=', drop_number)
    .where('entrant.member_id', '=', member_id)
    .executeTakeFirstOrThrow();
}

/** Notes the scan as undone, so that its repetition hands over nothing. */
export async function writeUndoneScan(
  transaction: Transaction,
  { id, shop_order: order }: Pick<OfferRow, 'id' | 'shop_order'>,
  { scan, by }: { readonly scan: string; readonly by: string },
): Promise<void> {
  await transaction
    .updateTable('offer')
    .set({ state: order === null ? 'accepted' : 'paid', handed_at: null })
    .set({ door_scan: scan, scanned_by: by })
    .where('id', '=', id)
    .execute();
}
