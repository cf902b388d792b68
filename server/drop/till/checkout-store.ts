/** Times are by the clock of the database, which all servers share. */
import { type Selectable, sql, type UpdateObject } from 'kysely';
import {
  CHECKOUT_STATES,
  type DropState,
  type OfferState,
  type ReleaseReason,
} from '../../../contract/drop/states.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import type { TillView } from '../../../contract/operator/drop/till.ts';
import type { Reader } from '../../db/database.ts';
import { isoTime } from '../../db/iso-time.ts';
import { all, column, count, first, only, run, some } from '../../db/rows.ts';
import type { DropRow, FeatureTables } from '../../db/schema/feature-tables.ts';
import type { Tables } from '../../db/schema/tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import { MINUTE_MS } from '../../durations.ts';

/** The till knows nothing of the next attempt, whose row has nothing of the one before. */
export const NEXT_ATTEMPT = {
  state: 'wanted' as const,
  attempt: sql<number>`checkout.attempt + 1`,
  size: null,
  ends_at: null,
  far_id: null,
  link: null,
  account_id: null,
  cents: null,
  currency: null,
};
const SET_NEXT_ATTEMPT = sql.join(
  Object.entries(NEXT_ATTEMPT).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
);

/** After a link, what is not paid gets a checkout at the new till, with the whole pay-by time. */
export function renewLinks(transaction: Transaction) {
  return count(transaction)`
    update checkout set ${SET_NEXT_ATTEMPT}, failures = 0, failure = null, next_at = '-infinity',
      remind_at = null,
      pay_by = clock_timestamp() + make_interval(hours => pay_hours)
    from offer join mask_drop on mask_drop.number = offer.drop_number
    where offer.id = offer_id and offer.state = 'accepted'
      and checkout.state in ('wanted', 'created') and not exists (
        select from till_account where id = account_id and kind <> 'link')
  `;
}

type CheckoutRow = Selectable<FeatureTables['checkout']>;
type Unread = 'link' | 'next_at' | 'held_until' | 'failure' | 'remind_at';

/** `account_id`: where the attempt was begun; null until it is. */
type ClaimedRow = Omit<CheckoutRow, Unread | 'member_id'> &
  Pick<DropRow, 'time_zone' | 'quiet_from' | 'quiet_until' | 'pay_hours'> & {
    readonly member_id: string;
    readonly code: string | null;
    /** Null for a member who has left. */
    readonly email: string | null;
    readonly now: Date;
    readonly is_unplanned: boolean;
    readonly is_to_remind: boolean;
    readonly is_overdue: boolean;
    readonly is_over: boolean;
  };

export type Checkout = ClaimedRow & {
  readonly is_entry: false;
  readonly offer_state: OfferState;
  readonly offer_size: string;
};
/** It has an offer once its member is drawn. */
export type Entry = ClaimedRow &
  Pick<DropRow, 'refuses_prepaid'> & {
    readonly is_entry: true;
    readonly drop_state: DropState;
    /** The draw is announced without it. */
    readonly is_left_out: boolean;
    readonly offer_state: OfferState | null;
    readonly offer_size: string | null;
  };

const FIELDS = sql`
  checkout.offer_id, coalesce(checkout.member_id, offer.member_id) as member_id, checkout.state,
  attempt, checkout.size, ends_at, far_id, failures, offer.code, why, card, capture_before,
  (select email from member where id = coalesce(checkout.member_id, offer.member_id)) as email,
  checkout.member_id is not null as is_entry, mask_drop.state as drop_state, refuses_prepaid,
  checkout.drop_number, announced_at is not null and not exists (
    select from entrant where entrant.drop_number = checkout.drop_number
      and entrant.member_id = checkout.member_id and has_entered) as is_left_out,
  clock_timestamp() as now, pay_by, checkout.remind_at is null as is_unplanned,
  coalesce(checkout.remind_at <= clock_timestamp(), false) as is_to_remind,
  time_zone, quiet_from, quiet_until, pay_hours,
  offer.state as offer_state, offer.size as offer_size,
  pay_by <= clock_timestamp() as is_overdue,
  coalesce(ends_at <= clock_timestamp(), false) as is_over,
  checkout.account_id, checkout.cents, checkout.currency`;
export const NEVER = sql<Date>`'infinity'::timestamptz`;
export const PAST = sql<Date>`'-infinity'::timestamptz`;
/** Time for which a server that dies keeps its checkouts from others. */
export const HOLD = sql`clock_timestamp() + interval '1 minute'`;
export const IS_FREE = sql`next_at <= clock_timestamp() and held_until <= clock_timestamp()`;

/** What is not settled at the till. Indexes have the same words. */
export const IS_UNSETTLED = sql`state in ('wanted', 'created', 'held', 'releasing')`;

export function claimCheckouts({ kysely }: Reader, limit: number) {
  return all<Checkout | Entry>(kysely)`
    with claimed as (
      update checkout set held_until = ${HOLD} where offer_id in (
        select offer_id from checkout where ${IS_UNSETTLED} and ${IS_FREE}
        order by next_at limit ${limit}::integer for update skip locked)
      returning *)
    select ${FIELDS} from claimed checkout
    left join offer on offer.id = checkout.offer_id
    join mask_drop on mask_drop.number = coalesce(checkout.drop_number, offer.drop_number)
  `;
}

/** Stripe holds a checkout open for half an hour at least. */
const SHORTEST_MS = 31 * MINUTE_MS;

/** What the till is going to be told, before it is: a repetition after a crash says the same. */
export function beginCheckout(
  { kysely }: Reader,
  { offer_id, attempt, offer_size, pay_by }: Checkout | Entry,
  { accountId, longestMs }: { readonly accountId: string; readonly longestMs: number },
) {
  return first<{ size: string | null; ends_at: Date }>(kysely)`
    update checkout set
      size = ${offer_size}::text, pay_by = ${pay_by}, account_id = ${accountId}::uuid,
      ends_at = date_trunc('second', least(
        greatest(
          ${pay_by}, clock_timestamp() + make_interval(secs => ${SHORTEST_MS / 1000}::float8)),
        clock_timestamp() + make_interval(secs => ${longestMs / 1000}::float8)))
    where offer_id = ${offer_id}::uuid and attempt = ${attempt} and state = 'wanted'
      and ends_at is null and exists (
        select from till_account where id = ${accountId}::uuid and left_at is null)
    returning size, ends_at
  `;
}

type CheckoutChange = UpdateObject<Tables, 'checkout'>;

export async function updateCheckout(
  { kysely }: Reader,
  { offer_id, attempt }: Pick<Checkout | Entry, 'offer_id' | 'attempt'>,
  change: CheckoutChange,
  waitMs = 0,
): Promise<void> {
  await kysely
    .updateTable('checkout')
    .set({ failures: 0, failure: null, held_until: PAST, ...change })
    .set({
      next_at: sql`least(${inMs(waitMs)},
        case when pay_by > clock_timestamp() then pay_by end)`,
    })
    .where('offer_id', '=', offer_id)
    .where('attempt', '=', attempt)
    .where(sql<boolean>`${IS_UNSETTLED}`)
    .execute();
}

export function lockOfferOfCheckout(transaction: Transaction, offerId: string) {
  return first<Checkout & { code: string; shop_order: string | null }>(transaction)`
    select ${FIELDS}, offer.shop_order
    from offer join checkout on checkout.offer_id = offer.id
    join mask_drop on mask_drop.number = offer.drop_number
    where offer.id = ${offerId}::uuid for update of offer
  `;
}

/** Looks at these checkouts, passes and payments at once. Returns whether there is any. */
export function hurryAll({ kysely }: Reader, ids: readonly string[]) {
  return some(kysely)`
    with checkouts as (
      update checkout set next_at = '-infinity'
      where (far_id = any(${ids}::text[]) or offer_id::text = any(${ids}::text[]))
      returning offer_id::text as id
    ), payments as (
      update till_payment set next_at = '-infinity'
      where id = any(${ids}::text[]) returning id
    )
    select id from checkouts union all select id from payments
  `;
}

/** Ids of open and held checkouts of this line that no pass and no entry has. */
export function readStrays({ kysely }: Reader, ids: readonly string[]) {
  return column<string>(kysely)`
    select id from unnest(${ids}::text[]) far (id)
    where not exists (select from checkout where far_id = far.id and ${IS_UNSETTLED})
  `;
}

type Figures = Pick<
  TillView,
  'checkouts' | 'overdue' | 'failing' | 'failure' | 'compared_at' | 'by_hand'
>;

export async function readFigures({ kysely }: Reader): Promise<Figures> {
  const row = await only<Omit<Figures, 'checkouts'> & Figures['checkouts']>(kysely)`
    select
      ${sql.join(
        CHECKOUT_STATES.map(
          (state) => sql`(count(*) filter (where checkout.state = ${state}))::integer
            as ${sql.ref(state)}`,
        ),
      )},
      (count(*) filter (where pay_by <= clock_timestamp() and offer.state = 'accepted'))::integer
        as overdue,
      ((count(*) filter (where failures > 0))
        + (select count(*) from till_payment where failures > 0))::integer as failing,
      (select count(*)::integer from till_payment where state = 'by_hand') as by_hand,
      coalesce(max(checkout.failure), (select max(failure) from till_payment),
        (select max(failure) from till_account)) as failure,
      ${isoTime<string | null>(sql`(select compared_at from till_account where left_at is null)`)}
        as compared_at
    from checkout left join offer on offer.id = checkout.offer_id
  `;
  const { overdue, failing, failure, compared_at, by_hand, ...checkouts } = row;
  return { checkouts, overdue, failing, failure, compared_at, by_hand };
}

export function inMs(waitMs: number) {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${waitMs / 1000}::float8)`;
}

/**
 * An entrant of the last drop, where that is entered by card, and the entry: the row that has its
 * member. Null without one.
 */
export type Standing = Pick<DropRow, 'number' | 'time_zone'> &
  Pick<CheckoutRow, 'why' | 'link' | 'cents' | 'currency'> & {
    readonly member_id: string;
    readonly drop_state: DropState;
    readonly enter_until: Date;
    readonly is_window_open: boolean;
    /** Whether it is in the draw, or can still be. */
    readonly may_be_drawn: boolean;
    readonly state: CheckoutRow['state'] | null;
    readonly has_pass: boolean;
  };

export async function readStandings(
  { kysely }: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Standing>> {
  const rows = await all<Standing>(kysely)`
    select entrant.member_id, last.number, last.state as drop_state, last.time_zone, enter_until,
      enter_until > clock_timestamp() as is_window_open,
      announced_at is null or has_entered as may_be_drawn, checkout.state, why, cents, currency,
      case when ends_at > clock_timestamp() then link end as link,
      exists (select from offer where id = checkout.offer_id) as has_pass
    from (select * from mask_drop order by number desc limit 1) last
    join entrant on entrant.drop_number = last.number
    left join checkout
      on checkout.drop_number = last.number and checkout.member_id = entrant.member_id
    where enter_until is not null and entrant.member_id = any(${ids}::uuid[])
  `;
  return new Map(rows.map((row) => [row.member_id, row]));
}

/** Asks for a checkout, or for another one after the hold of the last one went back. */
export async function upsertEntry(
  transaction: Transaction,
  { number, member_id }: Pick<Standing, 'number' | 'member_id'>,
): Promise<void> {
  await run(transaction)`
    insert into checkout (offer_id, drop_number, member_id, pay_by)
    select gen_random_uuid(), number, ${member_id}::uuid,
      greatest(enter_until, clock_timestamp() + interval '1 hour')
    from mask_drop where number = ${number}::integer
    on conflict (drop_number, member_id) where member_id is not null do update
    set ${SET_NEXT_ATTEMPT}, why = null, pay_by = excluded.pay_by, next_at = '-infinity'
    where checkout.state = 'released'
  `;
  await run(transaction)`
    update checkout set why = null, next_at = '-infinity'
    where drop_number = ${number}::integer and member_id = ${member_id}::uuid
      and state in ('wanted', 'created') and why is not null
  `;
}

type Release = {
  readonly number: number;
  readonly why: ReleaseReason;
  /** The member whose entry alone is released; by default all. */
  readonly memberId?: string;
  /** Only entries of members who have left the line are released. */
  readonly isOfLeavers?: boolean;
};

/** Gives back what is held for entries without a pass, and ends checkouts that hold nothing yet. */
export function releaseEntries(
  transaction: Transaction,
  { number, why, memberId, isOfLeavers = false }: Release,
) {
  return run(transaction)`
    update checkout set state = case state when 'held' then 'releasing' else state end,
      card = null, why = ${why}, next_at = '-infinity'
    where drop_number = ${number}::integer and why is null
      and state in ('wanted', 'created', 'held')
      and not exists (select from offer where id = offer_id)
      and member_id = coalesce(${memberId ?? null}::uuid, member_id)
      and not (${isOfLeavers} and exists (select from member where member.id = member_id))
  `;
}

/** Once the draw is made, nobody enters any more. */
export function hurryEntries(transaction: Transaction, number: number) {
  return run(transaction)`
    update checkout set next_at = '-infinity'
    where drop_number = ${number}::integer and state in ('wanted', 'created')
  `;
}

/** Once a drop is closed, nothing tells its cards apart any more. */
export async function forgetCards(transaction: Transaction, number: number): Promise<void> {
  await transaction
    .updateTable('checkout')
    .set({ card: null })
    .where('drop_number', '=', number)
    .execute();
}

type EntryCounts = Omit<NonNullable<DropFacts['cards']>, 'enter_until'>;

export function countEntries({ kysely }: Reader, number: number) {
  return only<EntryCounts>(kysely)`
    select count(*) filter (where checkout.state in ('wanted', 'created'))::integer as entering,
      count(*) filter (where checkout.state = 'held' and offer.id is null)::integer as held,
      count(*) filter (where checkout.state = 'held' and offer.id is not null)::integer
        as capturing,
      count(*) filter (where checkout.state = 'releasing')::integer as releasing
    from checkout left join offer on offer.id = offer_id
    where checkout.drop_number = ${number}::integer
  `;
}

/** Half of the shortest window, so that everybody is awake for a part of it. */
const REMIND_HOURS = 12;
const TOLD = {
  enter: { toldTo: sql.ref('entrants_told_to'), since: sql`frozen_at` },
  'enter-reminder': {
    toldTo: sql.ref('entrants_reminded_to'),
    since: sql`enter_until - ${REMIND_HOURS} * interval '1 hour'`,
  },
};

/**
 * Members to be mailed that they can enter, or have not, by position; notes how far the list is
 * told. Whoever is in, or has left the draw, is not reminded.
 */
export function takeUntold(transaction: Transaction, kind: keyof typeof TOLD, limit: number) {
  const { toldTo, since } = TOLD[kind];
  return column<string>(transaction)`
    with last as (
      select * from mask_drop where state = 'frozen'
        and clock_timestamp() between ${since} and enter_until
      order by number desc limit 1),
    untold as (
      select entrant.member_id, drop_number, position
      from entrant join last on number = drop_number
      where position > ${toldTo} order by position limit ${limit}::integer),
    told as (
      update mask_drop set ${toldTo} = (select max(position) from untold)
      from last where mask_drop.number = last.number and exists (select from untold))
    select member_id from untold where not exists (
      select from checkout where checkout.drop_number = untold.drop_number
        and checkout.member_id = untold.member_id and (state = 'held' or why = 'withdrawn'))
    order by position
  `;
}

/** Changes nothing, and returns false, if the entry was drawn or changed since it was read. */
export async function updateEntry(
  { kysely }: Reader,
  { offer_id, attempt, state, why, offer_state: pass }: Entry,
  change: CheckoutChange,
  waitMs = 0,
): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable('checkout')
    .set({ failures: 0, failure: null, held_until: PAST, next_at: inMs(waitMs), ...change })
    .where('offer_id', '=', offer_id)
    .where('attempt', '=', attempt)
    .where('state', '=', state)
    .where(sql<boolean>`why is not distinct from ${why}`)
    .where(sql<boolean>`(select state from offer where id = offer_id) is not distinct from ${pass}`)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return true;
  await kysely
    .updateTable('checkout')
    .set({ held_until: PAST })
    .where('offer_id', '=', offer_id)
    .execute();
  return false;
}

export function isTicket(transaction: Transaction, { offer_id, drop_number }: Entry, card: string) {
  return some(transaction)`
    select from checkout where drop_number = ${drop_number}::integer and card = ${card}
      and offer_id <> ${offer_id}::uuid
  `;
}

/** A drawn member whose hold lapsed has a pass like every other, with the whole time to pay. */
export function sellInstead(transaction: Transaction, { offer_id, attempt }: Entry) {
  return run(transaction)`
    update checkout set ${SET_NEXT_ATTEMPT}, drop_number = null, member_id = null, card = null,
      capture_before = null, failures = 0, failure = null, held_until = '-infinity',
      next_at = '-infinity',
      pay_by = clock_timestamp() + (
        select make_interval(hours => pay_hours) from mask_drop where number = drop_number)
    where offer_id = ${offer_id}::uuid and attempt = ${attempt} and state = 'held'
  `;
}
