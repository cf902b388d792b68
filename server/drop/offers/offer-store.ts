/** Times of offers are by the clock of the database, which all servers share. */
import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { Odds } from '../../../contract/drop/drop-views.ts';
import {
  type CheckoutState,
  OFFER_STATES,
  type OfferFilter,
  type OfferState,
  PASS_STATES,
  type RefundState,
} from '../../../contract/drop/states.ts';
import type { ListedOffer } from '../../../contract/operator/drop/listed-offers.ts';
import type { DoorPasses } from '../../../contract/operator/drop/offers.ts';
import type { Reader } from '../../db/database.ts';
import { all, first, only, run, some, value } from '../../db/rows.ts';
import type { DropRow, FeatureTables, OfferRow } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import { IS_PASS, TAKES_MASK } from '../drop-store.ts';
import { ALL_NOTIFIED } from '../entrant-store.ts';
import type { OfferTimes, Price } from './offer-rules.ts';

const IS_REFUNDED = sql`refunded_cents >= greatest(cents, 1)`;
const isPaymentAsked = (hasMoved: RawBuilder<unknown>) => sql<boolean>`exists (
  select from till_payment paid where paid.offer_id = offer.id and paid.reference = offer.shop_order
    and paid.state = 'by_hand' and ${hasMoved})`;
/** All that was paid for the pass went back, and no owner has said yet what about its mask. */
export const WENT_BACK = isPaymentAsked(sql`refunded_cents + disputed_cents >= cents`);

/** `ends_at`: for members, as if the mail were handed over now, or offering resumed now. */
export type DatedOffer = OfferRow & {
  readonly now: Date;
  readonly ends_at: Date;
  readonly refund: RefundState | null;
  readonly went_back: boolean;
};

/** An undone scan, which stays, gave nothing to anybody. */
const scannedBy = sql<string | null>`
  case when offer.state not in ('accepted', 'paid') then offer.scanned_by end`;

/** Columns of `OfferRow`, with the state by `offer_state`, which ends offers in time. */
const offerColumns = sql`
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

/** The link is there while the till takes a payment by it; after that the next one is made. */
export type WholeOffer = DatedOffer &
  Price &
  Pick<DropRow, 'offer_minutes' | 'time_zone' | 'quiet_from' | 'quiet_until' | 'pay_hours'> & {
    readonly carrier: string | null;
    readonly tracking: string | null;
    readonly checkout: CheckoutState | null;
    readonly pay_by: Date | null;
    readonly link: string | null;
  };

const whole = sql`
  select ${dated}, time_zone, offer_minutes, quiet_from, quiet_until, pay_hours,
    carrier, tracking, pay_by, cents, currency,
    case when ends_at <= clock_timestamp() then null else link end as link,
    case when checkout.state = 'created' and ends_at <= clock_timestamp() then 'wanted'
      else checkout.state end as checkout
  from offer join mask_drop on mask_drop.number = offer.drop_number
  left join parcel on parcel.offer_id = offer.id
  left join checkout on checkout.offer_id = offer.id`;

/** Pass or open offer of the last drop that made one to the member, or how their offer ended. */
export function readOfferOf({ kysely }: Reader, memberId: string) {
  return first<WholeOffer>(kysely)`${whole} where offer.id = (${lastOfferOf(memberId)})`;
}

export function readOffersById({ kysely }: Reader, ids: readonly string[]) {
  return all<WholeOffer>(kysely)`${whole} where offer.id = any(${ids}::uuid[])`;
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
): Promise<OfferRow> {
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

type OfferCounts = Readonly<Record<OfferState, number>>;

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

type Joined = 'email' | 'kept_email' | 'has_address' | 'draw_order' | 'carrier' | 'tracking';
export type ListedRow = OfferRow &
  Pick<ListedOffer, Joined> & { readonly position: number; readonly sent_at: Date | null };

const listed = sql`
  select ${offerColumns}, member.email, parcel.email as kept_email,
    address is not null as has_address, entrant.draw_order, entrant.position, sent_at, carrier,
    tracking
  from offer
  left join parcel on parcel.offer_id = offer.id
  join entrant on entrant.drop_number = offer.drop_number
    and entrant.member_id = offer.member_id
  left join member on member.id = offer.member_id`;

type OfferQuestion = {
  readonly number: number;
  readonly state: OfferFilter | null;
  readonly text: string;
  readonly after: string | null;
  readonly limit: number;
};

export function readOffers(
  { kysely }: Reader,
  { number, state, text, after, limit }: OfferQuestion,
) {
  return all<ListedRow>(kysely)`
    ${listed}
    where offer.drop_number = ${number}::integer
      and (${state}::text is null or offer_state(offer) = ${state}
        or ${state} = 'unaddressed' and state = 'paid' and address is null)
      and (${text} = ''
        or strpos(lower(coalesce(member.email, parcel.email)), lower(${text})) > 0
        or member.referral_code = upper(${text}) or offer.code = ${text}
        or offer.member_id::text = lower(${text}))
      and (${after}::uuid is null or (-extract(epoch from offer.offered_at), draw_order) > (
        select -extract(epoch from last.offered_at), place.draw_order
        from offer last join entrant place on place.drop_number = last.drop_number
          and place.member_id = last.member_id
        where last.id = ${after}::uuid))
    order by -extract(epoch from offer.offered_at), draw_order limit ${limit}::integer
  `;
}

export function readOffersTo({ kysely }: Reader, memberId: string) {
  return all<ListedRow>(kysely)`
    ${listed} where offer.member_id = ${memberId}::uuid order by offered_at desc
  `;
}

export function readOffersOfDrop({ kysely }: Reader, number: number) {
  return all<ListedRow>(kysely)`
    ${listed} where offer.drop_number = ${number}::integer
    order by wave, entrant.draw_order, offered_at, offer.id
  `;
}

export function readListed({ kysely }: Reader, id: string) {
  return only<ListedRow>(kysely)`${listed} where offer.id = ${id}`;
}

/** Offers whose time is over, and masks of them not taken. Cancelled passes are replaced. */
export function countDropOuts({ kysely }: Reader, number: number) {
  return only<Pick<Odds, 'masks' | 'among'>>(kysely)`
    select count(*) filter (where not ${IS_PASS})::integer as masks,
      count(*)::integer as among
    from offer where drop_number = ${number}::integer
      and state not in ('open', 'cancelled') and expires_at <= clock_timestamp()
  `;
}
