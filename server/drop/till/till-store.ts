/** Times are by the clock of the database, which all servers share. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { CheckoutState, OfferState } from '../../../contract/drop/states.ts';
import type { TillKind, TillSettings, TillView } from '../../../contract/operator/drop/till.ts';
import type { Reader } from '../../db/database.ts';
import { isoTime } from '../../db/iso-time.ts';
import type { DropRow, FeatureTables } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';

export type TillRow = {
  readonly kind: TillKind;
  readonly settings: TillSettings[TillKind];
  readonly keys: string | null;
  readonly chosen_at: Date;
};

/** What sells where owners have chosen nothing. */
export const NO_TILL: TillRow = {
  ...{ kind: 'link', settings: { reports: false }, keys: null, chosen_at: new Date(0) },
};

export async function readTill({ kysely }: Reader): Promise<TillRow | null> {
  const row = await kysely
    .selectFrom('till')
    .select(['kind', 'settings', 'keys', 'chosen_at'])
    .executeTakeFirst();
  return (row as TillRow | undefined) ?? null;
}

export async function writeTill(
  transaction: Transaction,
  { kind, settings, keys }: Omit<TillRow, 'chosen_at'>,
): Promise<void> {
  const fields = { kind, settings: JSON.stringify(settings), keys, failure: null };
  // Keys that are entered again, as after a restore, leave no sale uncompared.
  const chosen_at = sql<Date>`
    case when till.kind = excluded.kind then till.chosen_at else clock_timestamp() end`;
  const again = { chosen_at, compare_at: PAST };
  await transaction
    .insertInto('till')
    .values(fields)
    .onConflict((conflict) => conflict.column('is_only_row').doUpdateSet({ ...fields, ...again }))
    .execute();
}

export async function countUnsettled(transaction: Transaction): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from checkout where state = 'created' or size is not null
        and state = 'wanted')
      + (select count(*) from till_payment where state = 'to_refund'))::integer as count
  `.execute(transaction);
  return rows[0]?.count ?? 0;
}

/** After a link, what is not paid gets a checkout at the new till, with the whole pay-by time. */
export async function renewLinks(transaction: Transaction): Promise<number> {
  const { rows } = await sql`
    update checkout set state = 'wanted', attempt = attempt + 1, size = null, ends_at = null,
      far_id = null, link = null, failures = 0, failure = null, next_at = '-infinity',
      remind_at = null,
      pay_by = clock_timestamp() + make_interval(hours => pay_hours)
    from offer join mask_drop on mask_drop.number = offer.drop_number
    where offer.id = offer_id and offer.state = 'accepted'
      and checkout.state in ('wanted', 'created')
    returning offer_id
  `.execute(transaction);
  return rows.length;
}

export type Checkout = Pick<DropRow, 'time_zone' | 'quiet_from' | 'quiet_until' | 'pay_hours'> & {
  readonly offer_id: string;
  readonly member_id: string;
  readonly state: CheckoutState;
  readonly attempt: number;
  readonly size: string | null;
  readonly ends_at: Date | null;
  readonly far_id: string | null;
  readonly failures: number;
  readonly offer_state: OfferState;
  readonly offer_size: string;
  readonly email: string | null;
  readonly now: Date;
  readonly pay_by: Date;
  readonly is_unplanned: boolean;
  readonly is_to_remind: boolean;
  readonly is_overdue: boolean;
  readonly is_over: boolean;
};

const HAS_ENDED = sql`coalesce(ends_at <= clock_timestamp(), false)`;
const FIELDS = sql`
  checkout.offer_id, offer.member_id, checkout.state, attempt, checkout.size, ends_at, far_id,
  failures, (select email from member where id = offer.member_id) as email,
  clock_timestamp() as now, pay_by, checkout.remind_at is null as is_unplanned,
  coalesce(checkout.remind_at <= clock_timestamp(), false) as is_to_remind,
  time_zone, quiet_from, quiet_until, pay_hours,
  offer.state as offer_state, offer.size as offer_size,
  pay_by <= clock_timestamp() as is_overdue,
  ${HAS_ENDED} as is_over`;
export const NEVER = sql<Date>`'infinity'::timestamptz`;
const PAST = sql<Date>`'-infinity'::timestamptz`;
/** Time for which a server that dies keeps its checkouts from others. */
const HOLD = sql`clock_timestamp() + interval '1 minute'`;
const IS_FREE = sql`next_at <= clock_timestamp() and held_until <= clock_timestamp()`;

export async function claimCheckouts({ kysely }: Reader, limit: number): Promise<Checkout[]> {
  const { rows } = await sql<Checkout>`
    update checkout set held_until = ${HOLD}
    from offer join mask_drop on mask_drop.number = offer.drop_number
    where offer.id = checkout.offer_id and checkout.offer_id in (
      select offer_id from checkout where state in ('wanted', 'created') and ${IS_FREE}
      order by next_at limit ${limit}::integer for update skip locked)
    returning ${FIELDS}
  `.execute(kysely);
  return rows;
}

/** What the till is going to be told, before it is: a repetition after a crash says the same. */
export async function beginCheckout(
  { kysely }: Reader,
  { offer_id, attempt, offer_size, pay_by }: Checkout,
  { shortestMs, longestMs }: { shortestMs: number; longestMs: number },
): Promise<{ size: string; ends_at: Date } | null> {
  const { rows } = await sql<{ size: string; ends_at: Date }>`
    update checkout set size = ${offer_size}, pay_by = ${pay_by},
      ends_at = date_trunc('second', least(
        greatest(
          ${pay_by}, clock_timestamp() + make_interval(secs => ${shortestMs / 1000}::float8)),
        clock_timestamp() + make_interval(secs => ${longestMs / 1000}::float8)))
    where offer_id = ${offer_id}::uuid and attempt = ${attempt} and state = 'wanted'
      and size is null
    returning size, ends_at
  `.execute(kysely);
  return rows[0] ?? null;
}

type CheckoutChange = Omit<Updateable<FeatureTables['checkout']>, 'remind_at'> & {
  readonly remind_at?: Date | typeof NEVER;
};

export async function updateCheckout(
  { kysely }: Reader,
  { offer_id, attempt }: Pick<Checkout, 'offer_id' | 'attempt'>,
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
    .where('state', 'in', ['wanted', 'created'])
    .execute();
}

export async function lockOfferOfCheckout(transaction: Transaction, offerId: string) {
  const { rows } = await sql<Checkout & { code: string; shop_order: string | null }>`
    select ${FIELDS}, offer.code, offer.shop_order
    from offer join checkout on checkout.offer_id = offer.id
    join mask_drop on mask_drop.number = offer.drop_number
    where offer.id = ${offerId}::uuid for update of offer
  `.execute(transaction);
  return rows[0] ?? null;
}

export async function insertPayment(
  transaction: Transaction,
  payment: Insertable<FeatureTables['till_payment']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('till_payment')
    .values(payment)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function updatePayment(
  { kysely }: Reader,
  id: string,
  change: Updateable<FeatureTables['till_payment']>,
  waitMs = 0,
): Promise<void> {
  await kysely
    .updateTable('till_payment')
    .set({ failures: 0, failure: null, held_until: PAST, next_at: inMs(waitMs), ...change })
    .where('id', '=', id)
    .execute();
}

/** A reason for which it goes back stays; `why` is for a payment that had none. */
export async function returnPayment({ kysely }: Reader, id: string, why: string): Promise<void> {
  await sql`
    update till_payment set state = 'refunded', why = coalesce(why, ${why}) where id = ${id}
  `.execute(kysely);
}

export async function claimRefunds({ kysely }: Reader, limit: number) {
  const { rows } = await sql<{ id: string; failures: number }>`
    update till_payment set held_until = ${HOLD}
    where id in (
      select id from till_payment where state = 'to_refund' and ${IS_FREE}
      order by next_at limit ${limit}::integer for update skip locked)
    returning id, failures
  `.execute(kysely);
  return rows;
}

/** Looks at the checkout or offer of a notice at once, and otherwise at all sales. */
export async function hurryCheckout({ kysely }: Reader, id: string): Promise<void> {
  await sql`
    with found as (
      update checkout set next_at = '-infinity'
      where far_id = ${id} or offer_id::text = ${id} returning offer_id)
    update till set compare_at =
      least(compare_at, coalesce(compared_at, '-infinity') + interval '15 seconds')
    where not exists (select from found)
  `.execute(kysely);
}

export async function claimComparison({ kysely }: Reader, everyMs: number): Promise<Date | null> {
  const { rows } = await sql<{ since: Date }>`
    update till set compare_at = ${inMs(everyMs)} where compare_at <= clock_timestamp()
    returning greatest(chosen_at - interval '1 hour', compared_at - interval '7 days')
      as since
  `.execute(kysely);
  return rows[0]?.since ?? null;
}

export async function settleComparison({ kysely }: Reader, failure: string | null): Promise<void> {
  await sql`
    update till set failure = ${failure},
      compared_at = case when ${failure}::text is null then clock_timestamp() else compared_at end
  `.execute(kysely);
}

export async function readLive({ kysely }: Reader, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ far_id: string }>`
    select far_id from checkout where far_id = any(${ids}::text[]) and state = 'created'
  `.execute(kysely);
  return new Set(rows.map(({ far_id }) => far_id));
}

export type ShownCheckout = {
  readonly state: CheckoutState;
  readonly pay_by: Date;
  readonly link: string | null;
};

/** The link while the till takes a payment by it; after that the next one is being made. */
export async function readCheckout(
  { kysely }: Reader,
  offerId: string,
): Promise<ShownCheckout | null> {
  const { rows } = await sql<ShownCheckout>`
    select pay_by, case when ${HAS_ENDED} then null else link end as link,
      case when state = 'created' and ${HAS_ENDED} then 'wanted' else state end as state
    from checkout where offer_id = ${offerId}::uuid
  `.execute(kysely);
  return rows[0] ?? null;
}

type Figures = Omit<TillView, 'kind' | 'link' | 'stripe' | 'shopify' | 'notices_url'>;

export async function readFigures({ kysely }: Reader): Promise<Figures> {
  const { rows: payments } = await sql<TillView['payments'][number]>`
    select reference, offer.member_id, cents, upper(currency) as currency, till_payment.state, why,
      ${isoTime(sql`seen_at`)} as seen_at
    from till_payment left join offer on offer.id = offer_id where till_payment.state <> 'kept'
    order by till_payment.seen_at desc limit 100
  `.execute(kysely);
  const { rows } = await sql<Omit<Figures, 'payments' | 'checkouts'> & Figures['checkouts']>`
    select
      ${sql.join(
        (['wanted', 'created', 'paid', 'expired', 'cancelled'] as const).map(
          (state) => sql`(count(*) filter (where checkout.state = ${state}))::integer
            as ${sql.ref(state)}`,
        ),
      )},
      (count(*) filter (where pay_by <= clock_timestamp() and offer.state = 'accepted'))::integer
        as overdue,
      ((count(*) filter (where failures > 0))
        + (select count(*) from till_payment where failures > 0))::integer as failing,
      coalesce(max(checkout.failure), (select max(failure) from till_payment),
        (select failure from till)) as failure,
      ${isoTime<string | null>(sql`(select compared_at from till)`)} as compared_at
    from checkout join offer on offer.id = checkout.offer_id
  `.execute(kysely);
  const [row] = rows;
  if (row === undefined) throw new Error('An aggregate has a row.');
  const { overdue, failing, failure, compared_at, ...checkouts } = row;
  return { checkouts, overdue, failing, failure, compared_at, payments };
}

function inMs(waitMs: number) {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${waitMs / 1000}::float8)`;
}
