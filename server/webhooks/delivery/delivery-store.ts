/** SQL of deliveries: taking events of the line, claiming endpoints, and how attempts end. */
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { inTransaction, lock } from '../../db/transaction.ts';
import type { LineEvent, WebhookEvent } from '../expand-events.ts';
import { DOWN_AFTER_FAILURES, MAX_DELAY_MS } from './retry-rules.ts';

/** Longer than a server that lives needs to renew its hold. */
const HOLD_S = 15;
/** Rows of line_event that are read at a time; a row has the members of a batch of joins. */
const READ_ROWS = 16;
/** A time ahead of this was written before the clock was set back. */
const FURTHEST_S = (2 * MAX_DELAY_MS) / 1000;

/** An endpoint as its worker needs it. */
export type HeldEndpoint = {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly secret_number: number;
  readonly has_old_secret: boolean;
  readonly next_sequence: number;
  readonly next_ordinal: number;
  readonly failures: number;
  readonly is_paused: boolean;
  readonly waiting: number;
};

export type Delivery = {
  readonly id: string;
  readonly event_id: string;
  readonly kind: string;
  readonly happened_at: Date;
  readonly member_id: string | null;
  readonly friend_id: string | null;
  readonly referral_count: number | null;
  readonly offer_id: string | null;
  readonly attempts: number;
  /** Since the first attempt; 0 before it. */
  readonly age_ms: number;
};

/** The position of the next event that is not a delivery yet. */
export type Place = { readonly sequence: number; readonly ordinal: number };

/**
 * Holds endpoints that have something to send and are held by no living server, except those in
 * `busy`; returns their ids.
 */
export async function claimEndpoints(
  { kysely }: Database,
  { holder, busy }: { holder: string; busy: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update webhook_endpoint set
      held_by = ${holder}, held_until = clock_timestamp() + make_interval(secs => ${HOLD_S})
    where id = any(array(
      select endpoint.id from webhook_endpoint endpoint
      where is_on and id <> all(${busy}::uuid[])
        and (held_until <= clock_timestamp()
          or held_until > clock_timestamp() + make_interval(secs => ${2 * HOLD_S}))
        and (retry_at is null or retry_at <= clock_timestamp()
          or retry_at > clock_timestamp() + make_interval(secs => ${FURTHEST_S}))
        and (next_sequence <= (select max(sequence) from line_event)
          or exists (
            select from webhook_delivery where endpoint_id = endpoint.id and state = 'waiting'
              and (next_at <= clock_timestamp() or failures >= ${DOWN_AFTER_FAILURES}
                or next_at > clock_timestamp() + make_interval(secs => ${FURTHEST_S}))))
      for update skip locked))
    returning id
  `.execute(kysely);
  return rows.map(({ id }) => id);
}

/** Keeps other servers from taking over endpoints that this one still works on. */
export async function renewHolds(
  { kysely }: Database,
  { holder, busy }: { holder: string; busy: readonly string[] },
): Promise<void> {
  await sql`
    update webhook_endpoint
    set held_until = clock_timestamp() + make_interval(secs => ${HOLD_S})
    where held_by = ${holder} and id = any(${busy}::uuid[])
  `.execute(kysely);
}

export async function releaseEndpoint(
  { kysely }: Database,
  { holder, endpointId }: { holder: string; endpointId: string },
): Promise<void> {
  await sql`
    update webhook_endpoint set held_by = null, held_until = '-infinity'
    where id = ${endpointId} and held_by = ${holder}
  `.execute(kysely);
}

/** For the embedded engine, which has one server: the last one holds nothing any more. */
export async function releaseAll({ kysely }: Database): Promise<void> {
  await sql`update webhook_endpoint set held_by = null, held_until = '-infinity'`.execute(kysely);
}

/** Null when it is off, removed, or held by another server by now. */
export async function readHeld(
  { kysely }: Database,
  { holder, endpointId }: { holder: string; endpointId: string },
): Promise<HeldEndpoint | null> {
  const { rows } = await sql<HeldEndpoint>`
    select id, url, events, secret_number, next_sequence, next_ordinal, failures,
      coalesce(old_secret_until > clock_timestamp(), false) as has_old_secret,
      coalesce(retry_at > clock_timestamp()
        and retry_at <= clock_timestamp() + make_interval(secs => ${FURTHEST_S}), false)
        as is_paused,
      (select count(*)::integer from webhook_delivery
        where endpoint_id = endpoint.id and state = 'waiting') as waiting
    from webhook_endpoint endpoint
    where id = ${endpointId} and held_by = ${holder} and is_on
      and held_until > clock_timestamp()
  `.execute(kysely);
  return rows[0] ?? null;
}

/** Gives what happened to offers its place among the events, under the line lock. */
export async function numberOfferEvents(database: Database): Promise<void> {
  const { rows } = await sql<{ has_some: boolean }>`
    select exists (select from offer_event) as has_some`.execute(database.kysely);
  if (rows[0]?.has_some !== true) return;
  await inTransaction(database, async (transaction) => {
    await lock(transaction, 'line');
    await sql`select number_offer_events()`.execute(transaction);
  });
}

/** From the row at `sequence` on. */
export async function readEvents({ kysely }: Database, sequence: number): Promise<LineEvent[]> {
  const { rows } = await sql<LineEvent>`
    select sequence, kind, member_ids, referrer_ids, referral_counts, offer_id,
      to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as happened_at
    from line_event where sequence >= ${sequence}::bigint order by sequence
    limit ${READ_ROWS}::integer
  `.execute(kysely);
  return rows;
}

/**
 * Makes events deliveries and moves on to `to`, in one statement. Nothing happens when another
 * server has moved on since `from`, so each event becomes one delivery.
 */
export async function queueDeliveries(
  { kysely }: Database,
  {
    endpointId,
    from,
    to,
    events,
  }: {
    endpointId: string;
    from: Place;
    to: Place;
    events: readonly (WebhookEvent & { readonly sequence: number; readonly happenedAt: string })[];
  },
): Promise<void> {
  await sql`
    with moved as (
      update webhook_endpoint
      set next_sequence = ${to.sequence}, next_ordinal = ${to.ordinal}
      where id = ${endpointId} and next_sequence = ${from.sequence}
        and next_ordinal = ${from.ordinal}
      returning id
    )
    insert into webhook_delivery (
      endpoint_id, event_id, kind, happened_at, sequence, ordinal, member_id, friend_id,
      referral_count, offer_id)
    select moved.id, event."eventId", event.kind, event."happenedAt", event.sequence,
      event.ordinal, event."memberId", event."friendId", event."referralCount", event."offerId"
    from moved, json_to_recordset(${JSON.stringify(events)}) event (
      "eventId" text, kind text, "happenedAt" timestamptz, sequence bigint, ordinal integer,
      "memberId" uuid, "friendId" uuid, "referralCount" integer, "offerId" uuid)
  `.execute(kysely);
}

/**
 * Due deliveries in the order of their events. One waits while an earlier one about the same member
 * does. With `isProbe` due or not, and the longest untried first: one event that is always refused
 * must not keep the others waiting.
 */
export async function readDue(
  { kysely }: Database,
  {
    endpointId,
    limit,
    underWay,
    isProbe,
  }: {
    endpointId: string;
    limit: number;
    underWay: readonly string[];
    isProbe: boolean;
  },
): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select id, event_id, kind, happened_at, member_id, friend_id, referral_count, offer_id,
      attempts,
      coalesce(
        (extract(epoch from clock_timestamp() - first_attempt_at) * 1000)::bigint, 0) as age_ms
    from webhook_delivery delivery
    where endpoint_id = ${endpointId} and state = 'waiting'
      and id <> all(${underWay}::uuid[])
      and (${isProbe} or next_at <= clock_timestamp()
        or next_at > clock_timestamp() + make_interval(secs => ${FURTHEST_S}))
      and not exists (
        select from webhook_delivery earlier
        where earlier.endpoint_id = delivery.endpoint_id and earlier.state = 'waiting'
          and earlier.member_id = delivery.member_id
          and (earlier.sequence, earlier.ordinal) < (delivery.sequence, delivery.ordinal))
    order by case when ${isProbe} then last_attempt_at end nulls first, sequence, ordinal
    limit ${limit}
  `.execute(kysely);
  return rows;
}

/** What is kept of an attempt. */
export type Attempt = {
  readonly status: number | null;
  readonly cause: string | null;
  readonly answer: string | null;
  readonly durationMs: number;
};

/** The event arrived. Others that wait are due at once when the endpoint was down. */
export async function settleDelivered(
  { kysely }: Database,
  { id, status, answer, durationMs }: Attempt & { id: string },
): Promise<void> {
  await sql`
    with delivered as (
      update webhook_delivery set state = 'delivered', attempts = attempts + 1,
        first_attempt_at = coalesce(first_attempt_at, clock_timestamp()),
        last_attempt_at = clock_timestamp(), status = ${status}, cause = null,
        answer = ${answer}, duration_ms = ${durationMs}
      where id = ${id} and state = 'waiting'
      returning endpoint_id
    ), before as (
      select id, failures from webhook_endpoint, delivered
      where id = delivered.endpoint_id and failures > 0
    ), recovered as (
      update webhook_endpoint endpoint set failures = 0, failing_since = null, retry_at = null
      from before where endpoint.id = before.id
    )
    update webhook_delivery waiting set next_at = '-infinity'
    from before
    where before.failures >= ${DOWN_AFTER_FAILURES} and waiting.endpoint_id = before.id
      and waiting.state = 'waiting' and waiting.id <> ${id}
  `.execute(kysely);
}

/**
 * The event did not arrive. `retryInMs` is null when it is given up; `pauseInMs` is null while the
 * endpoint is not left alone. Returns for how long it has failed, and how often.
 */
export async function settleFailed(
  { kysely }: Database,
  {
    id,
    status,
    cause,
    answer,
    durationMs,
    retryInMs,
    pauseInMs,
  }: Attempt & {
    id: string;
    retryInMs: number | null;
    pauseInMs: number | null;
  },
): Promise<{ failing_ms: number; failures: number } | null> {
  const { rows } = await sql<{ failing_ms: number; failures: number }>`
    with failed as (
      update webhook_delivery set attempts = attempts + 1,
        state = case when ${retryInMs}::float8 is null then 'given_up' else 'waiting' end,
        next_at = clock_timestamp()
          + make_interval(secs => coalesce(${retryInMs}::float8, 0) / 1000),
        first_attempt_at = coalesce(first_attempt_at, clock_timestamp()),
        last_attempt_at = clock_timestamp(), status = ${status}, cause = ${cause},
        answer = ${answer}, duration_ms = ${durationMs}
      where id = ${id} and state = 'waiting'
      returning endpoint_id
    )
    update webhook_endpoint endpoint set
      failures = failures + 1,
      failing_since = coalesce(failing_since, clock_timestamp()),
      retry_at = clock_timestamp() + make_interval(secs => ${pauseInMs}::float8 / 1000)
    from failed where endpoint.id = failed.endpoint_id
    returning failures,
      (extract(epoch from clock_timestamp() - failing_since) * 1000)::bigint as failing_ms
  `.execute(kysely);
  return rows[0] ?? null;
}
