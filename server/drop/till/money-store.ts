/** What was paid for masks, and where the masks are: by pass, and in sum. */
import { sql } from 'kysely';
import type { Money } from '../../../contract/operator/drop/till.ts';
import type { Reader } from '../../db/database.ts';
import { isoTime } from '../../db/iso-time.ts';
import { IS_PASS } from '../offers/offer-store.ts';

const SHOWN = 500;

type Row = Money['rows'][number];

/** Reads the rows of a drop, and those that name no pass. */
export async function readMoneyRows({ kysely }: Reader, drop?: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select till_payment.id as payment, kind, coalesce(reference, shop_order) as reference,
      offer.drop_number as drop, offer.member_id, offer.size, offer.state as pass, cents,
      coalesce(refunded_cents, 0) as refunded_cents, coalesce(disputed_cents, 0) as disputed_cents,
      upper(currency) as currency, till_payment.state, why, ${isoTime(sql`seen_at`)} as seen_at,
      ${isoTime(sql`handed_at`)} as handed_at,
      ${isoTime(sql`sent_at`)} as sent_at
    from offer full join till_payment on till_payment.offer_id = offer.id
    left join parcel on parcel.offer_id = offer.id
    left join till_account on till_account.id = account_id
    where (till_payment.id is not null or code is not null and offer.state <> 'cancelled')
      and (${drop ?? null}::integer is null or drop_number is null or drop_number = ${drop ?? null})
    order by till_payment.state = 'by_hand' desc nulls last, till_payment.seen_at desc nulls last,
      offer.id
    limit ${drop === undefined ? SHOWN : null}::integer
  `.execute(kysely);
  return rows;
}

export async function readMoney(reader: Reader): Promise<Money> {
  const { rows: sums } = await sql<Money['sums'][number]>`
    select upper(currency) as currency, count(*)::integer as payments,
      sum(cents)::bigint as paid_cents, sum(refunded_cents)::bigint as refunded_cents,
      sum(disputed_cents)::bigint as disputed_cents,
      sum(cents - refunded_cents - disputed_cents)::bigint as left_cents
    from till_payment where cents is not null group by 1 order by 1
  `.execute(reader.kysely);
  const { rows: masks } = await sql<Money['masks']>`
    select count(*)::integer as passes,
      (count(*) filter (where shop_order is not null))::integer as paid,
      (count(*) filter (where state = 'handed_over'))::integer as handed_over,
      (count(*) filter (where state = 'sent'))::integer as sent
    from offer where ${IS_PASS}
  `.execute(reader.kysely);
  const [counts] = masks;
  if (counts === undefined) throw new Error('An aggregate has a row.');
  return { sums, masks: counts, rows: await readMoneyRows(reader) };
}
