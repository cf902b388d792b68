import { sql } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { all, only, run } from '../../db/rows.ts';
import type { OfferRow } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { OfferTimes } from './offer-rules.ts';
import { offerColumns } from './offer-store.ts';

export function markReminded(transaction: Transaction, now: Date) {
  return all<OfferRow>(transaction)`
    update offer set reminded_at = ${now}::timestamptz
    where state = 'open' and reminded_at is null and remind_at <= ${now}::timestamptz
    returning *
  `;
}

type TimedOffer = OfferTimes & Pick<OfferRow, 'id'>;

/** The mails of these offers were handed over: their time begins, unless it had before. */
export function beginTimes({ kysely }: Reader, offers: readonly TimedOffer[]) {
  return run(kysely)`
    update offer set mailed_at = clock_timestamp(), expires_at = own.expires_at,
      remind_at = own.remind_at
    from ${timesOf(offers)} where offer.id = own.id and state = 'open' and mailed_at is null
  `;
}

/** A reminder that is due later than the last one is mailed, too. */
export function moveTimes(transaction: Transaction, offers: readonly TimedOffer[]) {
  return run(transaction)`
    update offer set expires_at = own.expires_at, remind_at = own.remind_at,
      reminded_at = case when offer.reminded_at >= own.remind_at then offer.reminded_at end
    from ${timesOf(offers)} where offer.id = own.id and state = 'open'
  `;
}

function timesOf(offers: readonly TimedOffer[]) {
  const ids = offers.map(({ id }) => id);
  const ends = offers.map(({ expires_at }) => expires_at.toISOString());
  const reminders = offers.map(({ remind_at }) => remind_at.toISOString());
  return sql`
    unnest(${ids}::uuid[], ${ends}::timestamptz[], ${reminders}::timestamptz[])
      as own (id, expires_at, remind_at)`;
}

export function lockBegunOffers(
  transaction: Transaction,
  { number, id = null }: { readonly number: number; readonly id?: string | null },
) {
  return all<OfferRow>(transaction)`
    select ${offerColumns} from offer
    where drop_number = ${number}::integer and offer_state(offer) = 'open'
      and mailed_at is not null and (${id}::text is null or id::text = lower(${id}))
    order by id for update
  `;
}

export function readMailFlow({ kysely }: Reader) {
  return only<{ unmailed: number; is_down: boolean }>(kysely)`
    select (select count(*)::integer from offer where state = 'open' and mailed_at is null)
        as unmailed,
      exists (
        select from mail_pace where failed_at > clock_timestamp() - interval '1 minute'
          or (refused_since is not null and refused_until is null)) as is_down
  `;
}
