/** Entries of a drop by card: rows of `checkout` that have their member. */
import { type Selectable, sql } from 'kysely';
import type { DrawRecord } from '../../../contract/drop/draw-record.ts';
import type { DropState, ReleaseReason } from '../../../contract/drop/states.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import type { Reader } from '../../db/database.ts';
import { only } from '../../db/rows.ts';
import type { DropRow, FeatureTables } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import { type Entry, inMs, PAST } from '../till/till-store.ts';

type CheckoutRow = Selectable<FeatureTables['checkout']>;

/** An entrant of the last drop, where that is entered by card, and the entry; null without one. */
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
  const { rows } = await sql<Standing>`
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
  `.execute(kysely);
  return new Map(rows.map((row) => [row.member_id, row]));
}

/** Asks for a checkout, or for another one after the hold of the last one went back. */
export async function upsertEntry(
  transaction: Transaction,
  { number, member_id }: Pick<Standing, 'number' | 'member_id'>,
): Promise<void> {
  await sql`
    insert into checkout (offer_id, drop_number, member_id, pay_by)
    select gen_random_uuid(), number, ${member_id}::uuid,
      greatest(enter_until, clock_timestamp() + interval '1 hour')
    from mask_drop where number = ${number}::integer
    on conflict (drop_number, member_id) where member_id is not null do update
    set state = 'wanted', attempt = checkout.attempt + 1, why = null, ends_at = null,
      far_id = null, link = null, account_id = null, cents = null, currency = null,
      pay_by = excluded.pay_by, next_at = '-infinity'
    where checkout.state = 'released'
  `.execute(transaction);
  await sql`
    update checkout set why = null, next_at = '-infinity'
    where drop_number = ${number}::integer and member_id = ${member_id}::uuid
      and state in ('wanted', 'created') and why is not null
  `.execute(transaction);
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
export async function releaseEntries(
  transaction: Transaction,
  { number, why, memberId, isOfLeavers = false }: Release,
): Promise<void> {
  await sql`
    update checkout set state = case state when 'held' then 'releasing' else state end,
      card = null, why = ${why}, next_at = '-infinity'
    where drop_number = ${number}::integer and why is null
      and state in ('wanted', 'created', 'held')
      and not exists (select from offer where id = offer_id)
      and member_id = coalesce(${memberId ?? null}::uuid, member_id)
      and not (${isOfLeavers} and exists (select from member where member.id = member_id))
  `.execute(transaction);
}

/** Once the draw is made, nobody enters any more. */
export async function hurryEntries(transaction: Transaction, number: number): Promise<void> {
  await sql`
    update checkout set next_at = '-infinity'
    where drop_number = ${number}::integer and state in ('wanted', 'created')
  `.execute(transaction);
}

/** Once a drop is closed, nothing tells its cards apart any more. */
export async function forgetCards(transaction: Transaction, number: number): Promise<void> {
  await transaction
    .updateTable('checkout')
    .set({ card: null })
    .where('drop_number', '=', number)
    .execute();
}

/** Notes whose card holds the price: nobody else is drawn. */
export async function noteEntered(transaction: Transaction, number: number): Promise<void> {
  await sql`
    update entrant set has_entered = true from checkout
    where entrant.drop_number = ${number}::integer and checkout.drop_number = entrant.drop_number
      and checkout.member_id = entrant.member_id and checkout.state = 'held'
  `.execute(transaction);
}

/** Positions that take part; empty where all do. */
export async function readEntered(
  { kysely }: Reader,
  { number, enter_until: until }: Pick<DropRow, 'number' | 'enter_until'>,
): Promise<Pick<DrawRecord, 'entered'>> {
  if (until === null) return {};
  const rows = await kysely
    .selectFrom('entrant')
    .select('position')
    .where('drop_number', '=', number)
    .where('has_entered', '=', true)
    .orderBy('position')
    .execute();
  return { entered: rows.map(({ position }) => position) };
}

type EntryCounts = Omit<NonNullable<DropFacts['cards']>, 'enter_until'>;

export async function countEntries({ kysely }: Reader, number: number): Promise<EntryCounts> {
  return await only<EntryCounts>(kysely)`
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
export async function takeUntold(
  transaction: Transaction,
  kind: keyof typeof TOLD,
  limit: number,
): Promise<string[]> {
  const { toldTo, since } = TOLD[kind];
  const { rows } = await sql<{ member_id: string }>`
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
  `.execute(transaction);
  return rows.map(({ member_id }) => member_id);
}

type EntryChange = Partial<
  Pick<CheckoutRow, 'state' | 'why' | 'link' | 'far_id' | 'cents' | 'currency' | 'card'> &
    Pick<CheckoutRow, 'capture_before' | 'attempt' | 'account_id' | 'ends_at'>
>;

/** Changes nothing, and returns false, if the entry was drawn or changed since it was read. */
export async function updateEntry(
  { kysely }: Reader,
  { offer_id, attempt, state, why, offer_state: pass }: Entry,
  change: EntryChange,
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

export async function isTicket(
  transaction: Transaction,
  { offer_id, drop_number }: Entry,
  card: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from checkout where drop_number = ${drop_number}::integer and card = ${card}
      and offer_id <> ${offer_id}::uuid
  `.execute(transaction);
  return rows.length > 0;
}

/** A drawn member whose hold lapsed has a pass like every other, with the whole time to pay. */
export async function sellInstead(
  transaction: Transaction,
  { offer_id, attempt }: Entry,
): Promise<void> {
  await sql`
    update checkout set state = 'wanted', attempt = attempt + 1, drop_number = null,
      member_id = null, card = null, capture_before = null, ends_at = null, far_id = null,
      link = null, account_id = null, cents = null, currency = null, failures = 0, failure = null,
      held_until = '-infinity', next_at = '-infinity',
      pay_by = clock_timestamp() + (
        select make_interval(hours => pay_hours) from mask_drop where number = drop_number)
    where offer_id = ${offer_id}::uuid and attempt = ${attempt} and state = 'held'
  `.execute(transaction);
}
