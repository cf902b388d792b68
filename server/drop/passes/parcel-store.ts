import type { RewardAddress } from '../../../contract/reward-address.ts';
import type { Database } from '../../db/database.ts';
import { all, first, run, some } from '../../db/rows.ts';
import type { Transaction } from '../../db/transaction.ts';
import { MINUTE_MS } from '../../durations.ts';

type Parcel = { readonly id: string; readonly member_id: string };

export function insertAsked(transaction: Transaction, drop: number) {
  return all<Parcel>(transaction)`
    insert into parcel (offer_id, member_id, asked_at)
    select offer.id, offer.member_id, clock_timestamp()
    from offer join member on member.id = offer.member_id
    where drop_number = ${drop}::integer and state = 'paid'
    on conflict (offer_id) do update set asked_at = excluded.asked_at
    where parcel.answered_at is null
    returning offer_id as id, member_id
  `;
}

/** Given at the till: what the member answers later counts. */
export function insertAddress(
  transaction: Transaction,
  { offer_id, member_id, address }: { offer_id: string; member_id: string; address: RewardAddress },
) {
  return run(transaction)`
    insert into parcel (offer_id, member_id, address, answered_at)
    values (${offer_id}, ${member_id}, ${JSON.stringify(address)}, clock_timestamp())
    on conflict (offer_id) do nothing
  `;
}

export type SentParcel = { readonly code: string; readonly tracking: string };
type MarkedParcel = Parcel & { readonly code: string; readonly is_in_line: boolean };

/** Locks each pass before it looks whether a door has handed its mask over. */
export function markSent(
  transaction: Transaction,
  carrier: string,
  parcels: readonly SentParcel[],
) {
  return all<MarkedParcel>(transaction)`
    with sent as (
      update offer set state = 'sent'
      from unnest(
        ${parcels.map(({ code }) => code)}::text[],
        ${parcels.map(({ tracking }) => tracking)}::text[]
      ) given (code, tracking)
      where offer.code = given.code and state = 'paid'
      returning offer.id, member_id, offer.code, tracking
    ), marked as (
      insert into parcel (offer_id, member_id, sent_at, carrier, tracking)
      select id, member_id, clock_timestamp(), ${carrier}::text, tracking from sent
      on conflict (offer_id) do update
      set sent_at = excluded.sent_at, carrier = excluded.carrier, tracking = excluded.tracking
    )
    select id, member_id, code, exists (
      select from member where member.id = member_id) as is_in_line from sent
  `;
}

type AskedParcel = { readonly state: 'asked' | 'answered' | 'sent'; readonly size: string };

export function readAskedParcel({ kysely }: Database, memberId: string) {
  return first<AskedParcel>(kysely)`
    select offer.size, case when sent_at is not null then 'sent'
      when answered_at is not null then 'answered' else 'asked' end as state
    from parcel join offer on offer.id = parcel.offer_id
    where parcel.member_id = ${memberId}::uuid and offer.state in ('paid', 'sent')
    order by sent_at is not null, offered_at desc limit 1
  `;
}

/** Returns whether the member was asked, and something is to be sent yet. */
export function writeParcelAddress(
  { kysely }: Database,
  { memberId, address }: { memberId: string; address: RewardAddress },
) {
  return some(kysely)`
    update parcel set address = ${JSON.stringify(address)}, answered_at = clock_timestamp()
    from offer
    where offer.id = offer_id and parcel.member_id = ${memberId} and offer.state = 'paid'
    returning offer_id
  `;
}

/** Days count from the sending. A paid mask keeps where it goes until then. */
export function deleteOldAddresses({ kysely }: Database, days: number) {
  return run(kysely)`
    update parcel set address = null, answered_at = null, email = null from offer
    where offer.id = parcel.offer_id and (address is not null or email is not null)
      and state <> 'paid'
      and (handed_at is null or handed_at < now() - make_interval(secs => ${UNDO_MS / 1000}))
      and coalesce(sent_at < now() - make_interval(days => ${days}::integer), true)
  `;
}

/** A hand-over is undone for so long; the address of its mask stays until then. */
export const UNDO_MS = MINUTE_MS;
