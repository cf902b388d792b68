import { sql } from 'kysely';
import type { RewardAddress } from '../../../contract/reward-address.ts';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';

type Parcel = { readonly id: string; readonly member_id: string };

export async function insertAsked(transaction: Transaction, drop: number): Promise<Parcel[]> {
  const { rows } = await sql<Parcel>`
    insert into parcel (offer_id, member_id, asked_at)
    select offer.id, offer.member_id, clock_timestamp()
    from offer join member on member.id = offer.member_id
    where drop_number = ${drop}::integer and state = 'redeemed'
    on conflict (offer_id) do update set asked_at = excluded.asked_at
    where parcel.sent_at is null and parcel.answered_at is null
    returning offer_id as id, member_id
  `.execute(transaction);
  return rows;
}

export type SentParcel = { readonly code: string; readonly tracking: string };

export async function markSent(
  transaction: Transaction,
  carrier: string,
  parcels: readonly SentParcel[],
): Promise<(Parcel & { readonly code: string })[]> {
  const { rows } = await sql<Parcel & { code: string }>`
    insert into parcel (offer_id, member_id, sent_at, carrier, tracking)
    select offer.id, offer.member_id, clock_timestamp(), ${carrier}::text, given.tracking
    from unnest(
      ${parcels.map(({ code }) => code)}::text[], ${parcels.map(({ tracking }) => tracking)}::text[]
    ) given (code, tracking)
    join offer on offer.code = given.code and offer.state = 'redeemed'
    join member on member.id = offer.member_id
    on conflict (offer_id) do update
    set sent_at = excluded.sent_at, carrier = excluded.carrier, tracking = excluded.tracking
    where parcel.sent_at is null
    returning offer_id as id, member_id,
      (select code from offer where offer.id = offer_id) as code
  `.execute(transaction);
  return rows;
}

type AskedParcel = { readonly state: 'asked' | 'answered' | 'sent'; readonly size: string };

export async function readAskedParcel(
  { kysely }: Database,
  memberId: string,
): Promise<AskedParcel | null> {
  const { rows } = await sql<AskedParcel>`
    select offer.size, case when sent_at is not null then 'sent'
      when answered_at is not null then 'answered' else 'asked' end as state
    from parcel join offer on offer.id = parcel.offer_id
    where parcel.member_id = ${memberId}::uuid and offer.state = 'redeemed'
    order by sent_at is not null, offered_at desc limit 1
  `.execute(kysely);
  return rows[0] ?? null;
}

/** Returns whether the member was asked, and something is to be sent yet. */
export async function writeParcelAddress(
  { kysely }: Database,
  { memberId, address }: { memberId: string; address: RewardAddress },
): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable('parcel')
    .set({ address: JSON.stringify(address), answered_at: sql<Date>`clock_timestamp()` })
    .where('member_id', '=', memberId)
    .where('sent_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Days count from the sending; of parcels that never were sent, from the end of the drop. */
export async function deleteOldAddresses({ kysely }: Database, days: number): Promise<void> {
  await sql`
    update parcel set address = null, answered_at = null
    from offer join mask_drop on mask_drop.number = offer.drop_number
    where offer.id = parcel.offer_id and address is not null and (
      offer.state = 'cancelled'
      or coalesce(
        sent_at, case when closed_at is not null then greatest(closed_at, answered_at) end)
        < now() - make_interval(days => ${days}::integer))
  `.execute(kysely);
}

export type PackedRow = {
  readonly code: string;
  readonly size: string;
  readonly order: string;
  readonly email: string | null;
  readonly address: RewardAddress | null;
};

export async function readUnsent({ kysely }: Database, drop: number): Promise<PackedRow[]> {
  const { rows } = await sql<PackedRow>`
    select code, offer.size, shop_order as "order", member.email, parcel.address
    from offer
    left join parcel on parcel.offer_id = offer.id
    left join member on member.id = offer.member_id
    where drop_number = ${drop}::integer and state = 'redeemed' and sent_at is null
    order by offer.size, code
  `.execute(kysely);
  return rows;
}
