import { type Insertable, sql, type Updateable } from 'kysely';
import type { Reader } from '../../db/database.ts';
import type { FeatureTables, OfferRow } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { KnownPayment } from './payment-rules.ts';
import { HOLD, IS_FREE, inMs, PAST } from './till-store.ts';

const FIELDS = sql`
  till_payment.id, account_id, offer_id, reference, till_payment.state, refunded_cents,
  disputed_cents, failures, exists (
    select from offer where offer.id = offer_id and shop_order = reference
      and offer.state <> 'cancelled') as is_pass_paid`;

export async function insertPayment(
  transaction: Transaction,
  payment: Insertable<FeatureTables['till_payment']>,
): Promise<void> {
  await transaction.insertInto('till_payment').values(payment).execute();
}

export async function updatePayment(
  { kysely }: Reader,
  id: string,
  change: Updateable<FeatureTables['till_payment']>,
  waitMs: number,
): Promise<void> {
  await kysely
    .updateTable('till_payment')
    .set({ failures: 0, failure: null, held_until: PAST, next_at: inMs(waitMs), ...change })
    .where('id', '=', id)
    .execute();
}

/** Payments to give back, and others to look at again: one may be taken back for months. */
export async function claimPayments({ kysely }: Reader, limit: number): Promise<KnownPayment[]> {
  const { rows } = await sql<KnownPayment>`
    update till_payment set held_until = ${HOLD}
    where id in (
      select till_payment.id from till_payment
      join till_account account on account.id = account_id
      where ${IS_FREE} and cents is not null
        and (account.keys is not null or state = 'to_refund')
      order by state = 'to_refund' desc, next_at limit ${limit}::integer
      for update of till_payment skip locked)
    returning ${FIELDS}
  `.execute(kysely);
  return rows;
}

export async function lockPayment(
  transaction: Transaction,
  id: string,
): Promise<KnownPayment | null> {
  const { rows } = await sql<KnownPayment>`
    select ${FIELDS} from till_payment where id = ${id} for update
  `.execute(transaction);
  return rows[0] ?? null;
}

/** An order of a shop that no till of ours reads: only its owner can give its money back. */
export async function oweByHand(
  transaction: Transaction,
  { id, shop_order: order }: Pick<OfferRow, 'id' | 'shop_order'>,
): Promise<void> {
  await sql`
    insert into till_payment (id, account_id, offer_id, reference, state, why)
    select 'order/' || ${id}::text, account.id, ${id}::uuid, ${order}, 'by_hand',
      'The pass that this order had paid was cancelled: give it back by hand.'
    from till_account account
    where left_at is null and not exists (
      select from till_payment where offer_id = ${id}::uuid and reference = ${order})
    on conflict (id) do nothing
  `.execute(transaction);
}
