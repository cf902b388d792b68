/** SQL of endpoints, and of the log of their deliveries. */
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Target } from '../delivery/send-delivery.ts';

/** Deliveries are kept for so long, and so many of each endpoint, newest first. */
const KEEP_DAYS = 7;
const KEEP_DELIVERIES = 10_000;

export type EndpointRow = Target & {
  readonly events: readonly string[];
  readonly is_on: boolean;
  readonly off_reason: string | null;
  readonly created_at: Date;
  readonly failing_since: Date | null;
  readonly failures: number;
  readonly retry_at: Date | null;
  readonly waiting: number;
  readonly old_secret_until: Date | null;
};

type Queries = Database['kysely'] | Transaction;

const ENDPOINTS = sql`
  select id, url, events, is_on, off_reason, created_at, failing_since, failures, secret_number,
    case when retry_at > clock_timestamp() then retry_at end as retry_at,
    case when old_secret_until > clock_timestamp() then old_secret_until end as old_secret_until,
    coalesce(old_secret_until > clock_timestamp(), false) as has_old_secret,
    (select count(*)::integer from webhook_delivery
      where endpoint_id = endpoint.id and state = 'waiting') as waiting
  from webhook_endpoint endpoint`;

/** Oldest first. */
export async function readEndpoints(queries: Queries): Promise<EndpointRow[]> {
  const { rows } = await sql<EndpointRow>`${ENDPOINTS} order by created_at, id`.execute(queries);
  return rows;
}

export async function readEndpoint(queries: Queries, id: string): Promise<EndpointRow | null> {
  const { rows } = await sql<EndpointRow>`${ENDPOINTS} where id = ${id}`.execute(queries);
  return rows[0] ?? null;
}

/** Gets the events from now on. The caller holds the line lock. Returns the id. */
export async function insertEndpoint(
  transaction: Transaction,
  { url, events }: { url: string; events: readonly string[] },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into webhook_endpoint (url, events, next_sequence)
    values (${url}, ${events}::text[], (select coalesce(max(sequence), 0) + 1 from line_event))
    returning id
  `.execute(transaction);
  return rows[0]?.id ?? '';
}

/**
 * Switched on again, it gets events from now on; switched off, waiting ones are given up. A new
 * URL is tried at once. The caller holds the line lock.
 */
export async function updateEndpoint(
  transaction: Transaction,
  {
    id,
    url,
    events,
    isOn,
    offReason,
  }: {
    id: string;
    url: string;
    events: readonly string[];
    isOn: boolean;
    offReason: string | null;
  },
): Promise<void> {
  await sql`
    update webhook_endpoint set
      url = ${url}, events = ${events}::text[], is_on = ${isOn}, off_reason = ${offReason},
      failures = case when ${isOn} and is_on and url = ${url} then failures else 0 end,
      failing_since = case when ${isOn} and is_on and url = ${url} then failing_since end,
      retry_at = case when ${isOn} and is_on and url = ${url} then retry_at end,
      next_sequence = case when ${isOn} and not is_on
        then (select coalesce(max(sequence), 0) + 1 from line_event) else next_sequence end,
      next_ordinal = case when ${isOn} and not is_on then 0 else next_ordinal end
    where id = ${id}
  `.execute(transaction);
  if (isOn) return;
  await sql`
    update webhook_delivery set state = 'given_up', cause = coalesce(cause, 'switched off')
    where endpoint_id = ${id} and state = 'waiting'
  `.execute(transaction);
}

/** The secret before signs too for `overlapHours`. */
export async function rotateSecret(
  transaction: Transaction,
  { id, overlapHours }: { id: string; overlapHours: number },
): Promise<void> {
  await sql`
    update webhook_endpoint set secret_number = secret_number + 1,
      old_secret_until = clock_timestamp() + make_interval(hours => ${overlapHours})
    where id = ${id}
  `.execute(transaction);
}

export async function deleteEndpoint(transaction: Transaction, id: string): Promise<void> {
  await sql`delete from webhook_endpoint where id = ${id}`.execute(transaction);
}

/** What the line records from now on. The caller holds the line lock. */
export async function setRecorded(
  transaction: Transaction,
  kinds: readonly string[],
): Promise<void> {
  await sql`
    update line_state set recorded_events = ${kinds}::text[]
    where recorded_events <> ${kinds}::text[]
  `.execute(transaction);
}

/** Removes old deliveries, and events that every endpoint has. */
export async function deleteOld({ kysely }: Database): Promise<void> {
  await sql`
    delete from webhook_delivery
    where state <> 'waiting'
      and created_at < clock_timestamp() - make_interval(days => ${KEEP_DAYS})
  `.execute(kysely);
  // The oldest of each is found once: as a condition it would be looked up for every row.
  await sql`
    with too_old as materialized (
      select endpoint.id as endpoint_id, newest.created_at, newest.id
      from webhook_endpoint endpoint
      cross join lateral (
        select created_at, id from webhook_delivery where endpoint_id = endpoint.id
        order by created_at desc, id desc offset ${KEEP_DELIVERIES} limit 1
      ) newest
    )
    delete from webhook_delivery delivery using too_old
    where delivery.endpoint_id = too_old.endpoint_id and delivery.state <> 'waiting'
      and (delivery.created_at, delivery.id) <= (too_old.created_at, too_old.id)
  `.execute(kysely);
  // The last one stays: the next sequence follows on it.
  await sql`
    delete from line_event
    where sequence < (select max(sequence) from line_event)
      and sequence < coalesce(
        (select min(next_sequence) from webhook_endpoint where is_on), 9223372036854775807)
  `.execute(kysely);
}
