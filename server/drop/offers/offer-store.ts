/** Times of offers are by the clock of the database, which all servers share. */
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import {
  OFFER_STATES,
  type OfferState,
  PASS_STATES,
  type RefundState,
} from '../../../contract/drop/states.ts';
import type { DoorPasses } from '../../../contract/operator/drop/offers.ts';
import type { Reader } from '../../db/database.ts';
import { all, column, first, only, run, some, value } from '../../db/rows.ts';
import type { DropRow, FeatureTables, OfferRow } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Price } from '../till/till.ts';

export type { OfferRow };

export const ALL_NOTIFIED = Number.MAX_SAFE_INTEGER;

const PASSES = sql.join(PASS_STATES.map((state) => sql.lit(state)));
export const IS_PASS = sql`state in (${PASSES})`;
const IS_REFUNDED = sql`refunded_cents >= greatest(cents, 1)`;
const isPaymentAsked = (hasMoved: RawBuilder<unknown>) => sql<boolean>`exists (
  select from till_payment paid where paid.offer_id = offer.id and paid.reference = offer.shop_order
    and paid.state = 'by_hand' and ${hasMoved})`;
/** All that was paid for the pass went back, and no owner has said yet what about its mask. */
export const WENT_BACK = isPaymentAsked(sql`refunded_cents + disputed_cents >= cents`);
/** Indexes have the same words. */
export const TAKES_MASK = sql`state in ('open', ${PASSES})`;

/** `ends_at`: for members, as if the mail were handed over now, or offering resumed now. */
export type DatedOffer = OfferRow & {
  readonly now: Date;
  readonly ends_at: Date;
  readonly refund: RefundState | null;
  readonly went_back: boolean;
};

/** An undone scan, which stays, gave nothing to anybody. */
export const scannedBy = sql<string | null>`
  case when offer.state not in ('accepted', 'paid') then offer.scanned_by end`;

/** Columns of `OfferRow`, with the state by `offer_state`, which ends offers in time. */
export const offerColumns = sql`
  offer.id, offer.drop_number, offer.member_id, offer.size, offer_state(offer) as state, offer.wave,
  offer.offered_at, offer.expires_at, offer.reminded_at, offer.settled_at, offer.paid_at,
  offer.handed_at, offer.code, offer.shop_order, offer.door_scan, offer.mailed_at, offer.remind_at,
  ${scannedBy} as scanned_by`;
const endsAt = sql<Date>`
  case when offer.state <> 'open' then offer.expires_at
    when offer.mailed_at is null then clock_timestamp() + (offer.expires_at - offer.offered_at)
    else offer.expires_at + coalesce((
      select clock_timestamp() - paused_at from mask_drop where number = offer.drop_number
    ), interval '0') end`;
/** A payment by hand of a pass that has ended waits for its owner to give it back. */
const refund = sql<RefundState | null>`
  case when ${isPaymentAsked(IS_REFUNDED)} and offer.state <> 'cancelled' then 'done'
    when offer.state = 'cancelled' then (
      select case when ${IS_REFUNDED} then 'done' else 'due' end from till_payment
      where offer_id = offer.id and state in ('refunded', 'to_refund', 'by_hand')
      order by ${IS_REFUNDED} limit 1) end`;
const dated = sql`
  ${offerColumns}, clock_timestamp() as now, ${endsAt} as ends_at, ${refund} as refund,
  ${WENT_BACK} as went_back`;

export function readNow({ kysely }: Reader) {
  return value<Date>(kysely)`select clock_timestamp() as now`;
}

type SweepView = { readonly now: Date; readonly has_work: boolean };

export function readSweep({ kysely }: Reader) {
  return only<SweepView>(kysely)`
    select clock_timestamp() as now, (
      exists (
        select from offer where state = 'open' or state = 'accepted'
          and not exists (select from member where member.id = offer.member_id))
      or (
        select state = 'offering' or enter_until is not null and state in ('frozen', 'selected')
        from mask_drop order by number desc limit 1)
      or exists (select from mask_drop where others_told_until < ${ALL_NOTIFIED}::bigint)
    ) as has_work
  `;
}

/** Ends offers whose time is over, and offers and unused passes of members who have left. */
export function expireOffers(transaction: Transaction, now: Date) {
  return all<OfferRow>(transaction)`
    update offer set settled_at = ${now}::timestamptz,
      state = case state when 'open' then 'expired' else 'cancelled' end
    where state = 'open' and mailed_at is not null and expires_at <= ${now}::timestamptz
      or state in ('open', 'accepted')
        and not exists (select from member where member.id = offer.member_id)
    returning *
  `;
}

export function expireAllOffers(transaction: Transaction, number: number) {
  return all<OfferRow>(transaction)`
    update offer set state = 'expired', settled_at = clock_timestamp()
    where drop_number = ${number} and state = 'open' returning *
  `;
}

type NextEntrant = Pick<
  Selectable<FeatureTables['entrant']>,
  'member_id' | 'sizes' | 'takes_any' | 'chosen_size'
>;

/** Entrants by card: those whose card holds the price, or held it until the draw. */
const AMONG = {
  all: sql`true`,
  held: sql`entry.state = 'held'`,
  entered: sql`entry.state = 'released' and why in ('not-drawn', 'lapsed')`,
};

export function readNextEntrants(
  transaction: Transaction,
  {
    number,
    sizes,
    among,
    limit,
  }: { number: number; sizes: readonly string[]; among: keyof typeof AMONG; limit: number },
) {
  return all<NextEntrant & { offer_id: string | null }>(transaction)`
    select entrant.member_id, entrant.sizes, takes_any, chosen_size, entry.offer_id
    from entrant join member on member.id = entrant.member_id
    left join checkout entry on entry.drop_number = entrant.drop_number
      and entry.member_id = entrant.member_id
    where entrant.drop_number = ${number}::integer and draw_order is not null and ${AMONG[among]}
      and (takes_any or entrant.sizes && ${sizes}::text[] or chosen_size = any(${sizes}::text[]))
      and not exists (
        select from offer
        where offer.drop_number = entrant.drop_number and offer.member_id = entrant.member_id)
    order by draw_order limit ${limit}::integer
  `;
}

/** The drawn entrant, and how many in line before them had no offer; null if not drawn. */
export function readEntrantOf(
  transaction: Transaction,
  { drop_number: number, member_id: id }: Pick<OfferRow, 'drop_number' | 'member_id'>,
) {
  return first<NextEntrant & { draw_order: number; waiting_before: number }>(transaction)`
    select own.member_id, own.sizes, own.takes_any, own.chosen_size, own.draw_order, (
      select count(*)::integer from entrant join member on member.id = entrant.member_id
      where entrant.drop_number = own.drop_number and entrant.draw_order < own.draw_order
        and not exists (select from offer
          where offer.drop_number = own.drop_number and offer.member_id = entrant.member_id)
    ) as waiting_before
    from entrant own
    where drop_number = ${number}::integer and member_id = ${id}::uuid and draw_order is not null
  `;
}

export function readUnreachable(transaction: Transaction, number: number) {
  return column<string>(transaction)`
    select member.email from entrant
    join member on member.id = entrant.member_id
    join mail_suppression known on known.member_id = member.id and known.reason <> 'stopped'
    where drop_number = ${number}::integer and chosen_size is not null order by draw_order
  `;
}

export function readLastWave(transaction: Transaction, number: number) {
  return value<number>(transaction)`
    select coalesce(max(wave), 0) as wave from offer where drop_number = ${number}
  `;
}

export async function insertOffers(
  transaction: Transaction,
  offers: readonly Insertable<FeatureTables['offer']>[],
): Promise<OfferRow[]> {
  if (offers.length === 0) return [];
  return await transaction.insertInto('offer').values(offers).returningAll().execute();
}

const lastOfferOf = (memberId: string) => sql`
  select id from offer where member_id = ${memberId}::uuid
  order by drop_number desc, ${TAKES_MASK} desc, offered_at desc
  limit 1`;

/** Pass or open offer of the last drop that made one to the member, or how their offer ended. */
export function readOfferOf({ kysely }: Reader, memberId: string) {
  return first<DatedOffer>(kysely)`
    select ${dated} from offer where id = (${lastOfferOf(memberId)})
  `;
}

type WholeOffer = DatedOffer &
  Price &
  Pick<DropRow, 'offer_minutes' | 'time_zone' | 'quiet_from' | 'quiet_until' | 'pay_hours'> & {
    readonly carrier: string | null;
    readonly tracking: string | null;
    readonly pay_by: Date | null;
  };

export function readOffersById({ kysely }: Reader, ids: readonly string[]) {
  return all<WholeOffer>(kysely)`
    select ${dated}, time_zone, offer_minutes, quiet_from, quiet_until, pay_hours,
      carrier, tracking, pay_by, cents, currency
    from offer join mask_drop on mask_drop.number = offer.drop_number
    left join parcel on parcel.offer_id = offer.id
    left join checkout on checkout.offer_id = offer.id
    where offer.id = any(${ids}::uuid[])
  `;
}

export type HeldOffer = DatedOffer & { readonly is_in_line: boolean };

export function readLockedOffer(transaction: Transaction, memberId: string) {
  return first<HeldOffer>(transaction)`
    select ${dated}, exists (select from member where id = offer.member_id) as is_in_line
    from offer where id = (${lastOfferOf(memberId)}) for update
  `;
}

export function readLockedPass(transaction: Transaction, code: string) {
  return first<DatedOffer>(transaction)`
    select ${dated} from offer where code = ${code} for update
  `;
}

export async function updateOffer(
  transaction: Transaction,
  id: string,
  change: Partial<
    Pick<OfferRow, 'state' | 'size' | 'code' | 'shop_order' | 'door_scan' | 'scanned_by'>
  >,
): Promise<DatedOffer> {
  const { state } = change;
  return await transaction
    .updateTable('offer')
    .set({
      ...change,
      ...(state !== undefined && { [TIME_OF[state] ?? 'settled_at']: CLOCK }),
      ...(state !== undefined && state !== 'handed_over' && { handed_at: null }),
    })
    .where('id', '=', id)
    .returningAll()
    .returning([CLOCK.as('now'), endsAt.as('ends_at'), refund.as('refund')])
    .returning(WENT_BACK.as('went_back'))
    .executeTakeFirstOrThrow();
}

const TIME_OF: Partial<Record<OfferState, 'paid_at' | 'handed_at'>> = {
  paid: 'paid_at',
  handed_over: 'handed_at',
};
const CLOCK = sql<Date>`clock_timestamp()`;

export function hasRedeemed(transaction: Transaction, order: string) {
  return some(transaction)`
    select from offer where ${IS_PASS} and shop_order = ${order}
  `;
}

/** Takes from another pass what is not settled anew. */
export function insertPass(
  transaction: Transaction,
  { id, drop_number, member_id, size, state, wave, code }: OfferRow,
) {
  return only<OfferRow>(transaction)`
    insert into offer (id, drop_number, member_id, size, state, wave, code, expires_at, settled_at)
    values (${id}, ${drop_number}, ${member_id}, ${size}, ${state}, ${wave}, ${code},
      clock_timestamp(), clock_timestamp())
    returning *
  `;
}

export function hasPass(
  transaction: Transaction,
  { drop_number, member_id }: Pick<OfferRow, 'drop_number' | 'member_id'>,
) {
  return some(transaction)`
    select from offer
    where drop_number = ${drop_number} and member_id = ${member_id} and ${TAKES_MASK}
  `;
}

export function countDoorPasses({ kysely }: Reader) {
  return all<DoorPasses['passes'][number]>(kysely)`
    select drop_number as drop, count(*)::int as all,
      (count(*) filter (where state in ('handed_over', 'sent')))::int as used
    from offer where ${IS_PASS} group by drop_number order by drop_number desc
  `;
}

type PassHolder = {
  readonly email: string | null;
  readonly position: number;
  readonly sent_at: Date | null;
  readonly carrier: string | null;
};

export function readPassHolder(
  transaction: Transaction,
  { id, drop_number, member_id }: Pick<OfferRow, 'id' | 'drop_number' | 'member_id'>,
) {
  return only<PassHolder>(transaction)`
    select member.email, entrant.position, sent_at, carrier from entrant
    left join member on member.id = entrant.member_id left join parcel on offer_id = ${id}
    where entrant.drop_number = ${drop_number} and entrant.member_id = ${member_id}
  `;
}

/** Notes the scan as undone, so that its repetition hands over nothing. */
export function writeUndoneScan(
  transaction: Transaction,
  { id, shop_order: order }: Pick<OfferRow, 'id' | 'shop_order'>,
  { scan, by }: { readonly scan: string; readonly by: string },
) {
  return run(transaction)`
    update offer set state = ${order === null ? 'accepted' : 'paid'}, handed_at = null,
      door_scan = ${scan}, scanned_by = ${by}
    where id = ${id}
  `;
}

export type OfferCounts = Readonly<Record<OfferState, number>>;

export async function countOffers(
  { kysely }: Reader,
  number: number,
): Promise<ReadonlyMap<string, OfferCounts>> {
  const rows = await all<{ size: string; state: OfferState; offers: number }>(kysely)`
    select size, offer_state(offer) as state, count(*)::integer as offers from offer
    where drop_number = ${number}::integer group by 1, 2
  `;
  const counts = new Map<string, OfferCounts>();
  for (const { size, state, offers } of rows)
    counts.set(size, { ...(counts.get(size) ?? NO_OFFERS), [state]: offers });
  return counts;
}

export const NO_OFFERS = Object.fromEntries(OFFER_STATES.map((state) => [state, 0])) as OfferCounts;

export function countPasses(counts: OfferCounts): number {
  return PASS_STATES.reduce((sum, state) => sum + counts[state], 0);
}
