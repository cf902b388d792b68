import { type Insertable, sql, type Updateable } from 'kysely';
import type { Money } from '../../../contract/operator/drop/till.ts';
import type { Reader } from '../../db/database.ts';
import { isoTime } from '../../db/iso-time.ts';
import { all, first, only, run } from '../../db/rows.ts';
import type { FeatureTables, OfferRow } from '../../db/schema/feature-tables.ts';
import { MAIL_QUEUE } from '../../db/schema/queue-schema.ts';
import type { Transaction } from '../../db/transaction.ts';
import { HOUR_MS } from '../../durations.ts';
import { IS_PASS } from '../drop-store.ts';
import { HOLD, IS_FREE, IS_UNSETTLED, inMs, PAST } from './checkout-store.ts';
import type { KnownPayment } from './payment-rules.ts';

/** A payment may be taken back months later: it is read again so often. */
const LOOK_AGAIN_MS = 6 * HOUR_MS;

const FIELDS = sql`
  till_payment.id, account_id, offer_id, reference, till_payment.state, refunded_cents,
  disputed_cents, failures, exists (
    select from offer where offer.id = offer_id and shop_order = reference
      and offer.state <> 'cancelled') as is_pass_paid`;

export async function insertPayment(
  transaction: Transaction,
  payment: Insertable<FeatureTables['till_payment']>,
): Promise<KnownPayment> {
  const insert = transaction.insertInto('till_payment').values(payment);
  return await only<KnownPayment>(transaction)`${insert} returning ${FIELDS}`;
}

export async function updatePayment(
  { kysely }: Reader,
  id: string,
  change: Updateable<FeatureTables['till_payment']>,
  waitMs = LOOK_AGAIN_MS,
): Promise<void> {
  await kysely
    .updateTable('till_payment')
    .set({ failures: 0, failure: null, held_until: PAST, next_at: inMs(waitMs), ...change })
    .where('id', '=', id)
    .execute();
}

/** Payments to give back, and others to look at again: one may be taken back for months. */
export function claimPayments({ kysely }: Reader, limit: number) {
  return all<KnownPayment>(kysely)`
    update till_payment set held_until = ${HOLD}
    where id in (
      select till_payment.id from till_payment
      join till_account account on account.id = account_id
      where ${IS_FREE} and cents is not null
        and (account.keys is not null or state = 'to_refund')
      order by state = 'to_refund' desc, next_at limit ${limit}::integer
      for update of till_payment skip locked)
    returning ${FIELDS}
  `;
}

export function lockPayment(transaction: Transaction, id: string) {
  return first<KnownPayment>(transaction)`
    select ${FIELDS} from till_payment where id = ${id} for update
  `;
}

/** An order of a shop that no till of ours reads: only its owner can give its money back. */
export function oweByHand(
  transaction: Transaction,
  { id, shop_order: order }: Pick<OfferRow, 'id' | 'shop_order'>,
) {
  return run(transaction)`
    insert into till_payment (id, account_id, offer_id, reference, state, why)
    select 'order/' || ${id}::text, account.id, ${id}::uuid, ${order}, 'by_hand',
      'The pass that this order had paid was cancelled: give it back by hand.'
    from till_account account
    where left_at is null and not exists (
      select from till_payment where offer_id = ${id}::uuid and reference = ${order})
    on conflict (id) do nothing
  `;
}

const SHOWN = 500;

type Row = Money['rows'][number];

/** What was paid for masks, of one drop or of all, where these are, and payments of no pass. */
export function readMoneyRows(
  { kysely }: Reader,
  { drop, limit }: { readonly drop?: number | undefined; readonly limit?: number },
) {
  return all<Row>(kysely)`
    select till_payment.id as payment, kind, coalesce(reference, shop_order) as reference,
      offer.drop_number as drop, offer.member_id, offer.size, offer.state as pass, cents,
      coalesce(refunded_cents, 0) as refunded_cents, coalesce(disputed_cents, 0) as disputed_cents,
      upper(currency) as currency, is_live, till_payment.state, why,
      ${isoTime(sql`seen_at`)} as seen_at,
      ${isoTime(sql`handed_at`)} as handed_at,
      ${isoTime(sql`sent_at`)} as sent_at
    from offer full join till_payment on till_payment.offer_id = offer.id
    left join parcel on parcel.offer_id = offer.id
    left join till_account on till_account.id = account_id
    where (till_payment.id is not null or code is not null and offer.state <> 'cancelled')
      and (${drop ?? null}::integer is null or drop_number is null or drop_number = ${drop ?? null})
    order by till_payment.state = 'by_hand' desc nulls last, till_payment.seen_at desc nulls last,
      offer.id
    limit ${limit ?? null}::integer
  `;
}

export async function readMoney(reader: Reader): Promise<Money> {
  const { kysely } = reader;
  const sums = await all<Money['sums'][number]>(kysely)`
    select upper(currency) as currency, coalesce(is_live, true) as is_live,
      count(*)::integer as payments,
      sum(cents)::bigint as paid_cents, sum(refunded_cents)::bigint as refunded_cents,
      sum(disputed_cents)::bigint as disputed_cents,
      sum(cents - refunded_cents - disputed_cents)::bigint as left_cents
    from till_payment join till_account on till_account.id = account_id
    where cents is not null group by 1, 2 order by 2 desc, 1
  `;
  const masks = await only<Money['masks']>(kysely)`
    select count(*)::integer as passes,
      (count(*) filter (where shop_order is not null))::integer as paid,
      (count(*) filter (where state = 'handed_over'))::integer as handed_over,
      (count(*) filter (where state = 'sent'))::integer as sent
    from offer where ${IS_PASS}
  `;
  const holds = await all<Money['holds'][number]>(kysely)`
    select upper(currency) as currency, count(*)::integer as cards, sum(cents)::bigint as cents
    from checkout where state in ('held', 'releasing') group by 1 order by 1
  `;
  return { sums, holds, masks, rows: await readMoneyRows(reader, { limit: SHOWN }) };
}

export type Waiting = Readonly<
  Record<'mails' | 'deliveries' | 'offers' | 'checkouts' | 'refunds' | 'tills_without_keys', number>
>;

/** What a line that may be a copy has held back. */
export function countWaiting(transaction: Transaction) {
  return only<Waiting>(transaction)`
    select
      (select count(*) from pgboss.job where name = ${MAIL_QUEUE} and state <= 'active')
        + (select coalesce(sum(cardinality(member_ids)), 0)::bigint from mail_outbox)
        + (select count(*) from campaign join campaign_mail on campaign_id = id
          where state = 'sending' and member_id > queued_to) as mails,
      (select count(*) from webhook_delivery where state = 'waiting') as deliveries,
      (select count(*) from offer join mask_drop on number = drop_number
        where offer.state = 'open' and mailed_at is not null and paused_by = 'copy') as offers,
      (select count(*) from checkout where ${IS_UNSETTLED}) as checkouts,
      (select count(*) from till_payment where state = 'to_refund') as refunds,
      (select count(*) from keyless_accounts()) as tills_without_keys
  `;
}
