import { sql } from 'kysely';
import type { WebhookDelivery } from '../../contract/operator/webhooks/webhooks.ts';
import type { Database } from '../db/database.ts';
import { isoTime } from '../db/iso-time.ts';
import { all, first, only, run, some } from '../db/rows.ts';
import { inTransaction, lock } from '../db/transaction.ts';
import { isAhead } from '../durable-work/work-store.ts';
import type { Endpoint } from './endpoint-store.ts';
import type { LineEvent, WebhookEvent } from './expand-events.ts';
import type { PostResult } from './post-event.ts';
import { DOWN_AFTER_FAILURES } from './retry-rules.ts';

const READ_ROWS = 16;
const KEEP_DAYS = 7;
const KEEP_DELIVERIES = 10_000;

export type Delivery = WebhookEvent &
  WebhookDelivery & {
    readonly endpoint_id: string;
    readonly created_us: number;
    readonly age_ms: number;
  };

const EVENT = sql`
  event_id, kind, sequence, ordinal, member_id, friend_id, referral_count, offer_id`;
const DELIVERY = sql`
  id, endpoint_id, ${EVENT}, ${isoTime(sql`happened_at`)} as happened_at, state, attempts, status,
  cause, answer, duration_ms, ${isoTime(sql`last_attempt_at`)} as last_attempt_at,
  ${isoTime(sql`case when state = 'waiting' and next_at > clock_timestamp() then next_at end`)}
    as next_attempt_at,
  (extract(epoch from created_at) * 1000000)::bigint as created_us,
  coalesce((extract(epoch from clock_timestamp() - first_attempt_at) * 1000)::bigint, 0) as age_ms`;

/** Moves events of offers among those of the line, under the line lock. False without any. */
export async function numberOfferEvents(database: Database): Promise<boolean> {
  if (!(await some(database.kysely)`select from offer_event limit 1`)) return false;
  await inTransaction(database, async (transaction) => {
    await lock(transaction, 'line');
    await run(transaction)`select number_offer_events()`;
  });
  return true;
}

export function readEvents({ kysely }: Database, sequence: number) {
  return all<LineEvent>(kysely)`
    select sequence, kind, member_ids, referrer_ids, referral_counts, offer_id,
      to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as happened_at
    from line_event where sequence >= ${sequence}::bigint order by sequence
    limit ${READ_ROWS}::integer
  `;
}

/** Nothing happens when another server has moved the cursor: each event is one delivery. */
export function queueDeliveries(
  { kysely }: Database,
  { id, next_sequence, next_ordinal }: Endpoint,
  events: readonly WebhookEvent[],
  to: { readonly sequence: number; readonly ordinal: number },
) {
  return run(kysely)`
    with moved as (
      update webhook_endpoint
      set next_sequence = ${to.sequence}, next_ordinal = ${to.ordinal}
      where id = ${id} and next_sequence = ${next_sequence} and next_ordinal = ${next_ordinal}
      returning id as endpoint
    )
    insert into webhook_delivery (endpoint_id, happened_at, ${EVENT})
    select endpoint, happened_at, ${EVENT}
    from moved, json_populate_recordset(null::webhook_delivery, ${JSON.stringify(events)})
  `;
}

/** In order, but behind a waiting one of the member. `isProbe`: the longest untried is first. */
export function readDue(
  { kysely }: Database,
  endpointId: string,
  { limit, underWay, isProbe }: { limit: number; underWay: readonly string[]; isProbe: boolean },
) {
  return all<Delivery>(kysely)`
    select ${DELIVERY} from webhook_delivery delivery
    where endpoint_id = ${endpointId} and state = 'waiting' and id <> all(${underWay}::uuid[])
      and (${isProbe} or not ${isAhead(sql`next_at`)})
      and not exists (
        select from webhook_delivery earlier
        where earlier.endpoint_id = delivery.endpoint_id and earlier.state = 'waiting'
          and earlier.member_id = delivery.member_id
          and (earlier.sequence, earlier.ordinal) < (delivery.sequence, delivery.ordinal))
    order by case when ${isProbe} then delivery.last_attempt_at end nulls first, sequence, ordinal
    limit ${limit}
  `;
}

/** Gives up when `retryInMs` is null. Returns how long the endpoint has failed, or null. */
export async function settleDelivery(
  { kysely }: Database,
  id: string,
  attempt: PostResult & { readonly retryInMs: number | null; readonly pauseInMs: number | null },
): Promise<{ failing_ms: number } | null> {
  const { status, cause, answer, durationMs, retryInMs, pauseInMs } = attempt;
  const isDelivered = cause === null;
  const failed = retryInMs === null ? 'given_up' : 'waiting';
  const row = await first<{ failing_ms: number }>(kysely)`
    with settled as (
      update webhook_delivery set
        state = ${isDelivered ? 'delivered' : failed}, attempts = attempts + 1,
        next_at = clock_timestamp() + make_interval(secs => ${(retryInMs ?? 0) / 1000}::float8),
        first_attempt_at = coalesce(first_attempt_at, clock_timestamp()),
        last_attempt_at = clock_timestamp(), status = ${status}, cause = ${cause},
        answer = ${answer}, duration_ms = ${durationMs}
      where id = ${id} and state = 'waiting'
      returning endpoint_id
    ), before as (
      select id, failures from webhook_endpoint, settled
      where id = endpoint_id and not (${isDelivered} and failures = 0)
    ), hurried as (
      update webhook_delivery waiting set next_at = '-infinity' from before
      where ${isDelivered} and before.failures >= ${DOWN_AFTER_FAILURES}
        and waiting.endpoint_id = before.id and waiting.state = 'waiting' and waiting.id <> ${id}
    )
    update webhook_endpoint endpoint set
      failures = case when ${isDelivered} then 0 else endpoint.failures + 1 end,
      failing_since = case when not ${isDelivered}
        then coalesce(failing_since, clock_timestamp()) end,
      retry_at = clock_timestamp() + make_interval(secs => ${pauseInMs}::float8 / 1000)
    from before where endpoint.id = before.id
    returning (extract(epoch from clock_timestamp() - failing_since) * 1000)::bigint as failing_ms
  `;
  return isDelivered ? null : (row ?? null);
}

export async function readLog(
  { kysely }: Database,
  endpointId: string,
  page: { state: string | null; before: { us: number; id: string }; limit: number },
): Promise<Delivery[]> {
  const { state, before, limit } = page;
  return await all<Delivery>(kysely)`
    select ${DELIVERY} from webhook_delivery
    where endpoint_id = ${endpointId} and (${state}::text is null or state = ${state})
      and (created_at, id) < (
        'epoch'::timestamptz + ${before.us}::bigint * interval '1 microsecond', ${before.id}::uuid)
    order by created_at desc, id desc
    limit ${limit}
  `;
}

export function readDelivery({ kysely }: Database, id: string) {
  return first<Delivery>(kysely)`
    select ${DELIVERY} from webhook_delivery where id = ${id}
  `;
}

export function insertAttempt(
  { kysely }: Database,
  endpointId: string,
  event: WebhookEvent,
  { status, cause, answer, durationMs }: PostResult,
) {
  return first<Delivery>(kysely)`
    insert into webhook_delivery (
      endpoint_id, happened_at, ${EVENT}, state, attempts, first_attempt_at, last_attempt_at,
      status, cause, answer, duration_ms)
    select ${endpointId}::uuid, happened_at, ${EVENT},
      ${cause === null ? 'delivered' : 'given_up'}, 1, clock_timestamp(), clock_timestamp(),
      ${status}::integer, ${cause}::text, ${answer}::text, ${durationMs}::integer
    from json_populate_record(null::webhook_delivery, ${JSON.stringify(event)})
    returning ${DELIVERY}
  `;
}

export const BACKLOG_GAUGES = {
  waitlist_webhooks_waiting:
    'Deliveries that wait for their first or next attempt: at most 10,000.',
  waitlist_webhooks_failing: 'Endpoints whose last attempt failed.',
  waitlist_oldest_webhook_seconds: 'Age of the oldest event that waits; 0 when none does.',
};

type Backlog = Record<keyof typeof BACKLOG_GAUGES, number>;

export function readBacklog({ kysely }: Database) {
  return only<Backlog>(kysely)`
    select
      (select count(*) from (
        select from webhook_delivery where state = 'waiting' limit 10000) waiting)
        as waitlist_webhooks_waiting,
      (select count(*) from webhook_endpoint where is_on and failing_since is not null)
        as waitlist_webhooks_failing,
      greatest(0, coalesce(extract(epoch from clock_timestamp() - least(
        (select min(happened_at) from webhook_delivery where state = 'waiting'),
        (select happened_at from line_event
          where sequence >= (select min(next_sequence) from webhook_endpoint where is_on)
          order by sequence limit 1))), 0))::float8 as waitlist_oldest_webhook_seconds
  `;
}

export async function deleteOldDeliveries({ kysely }: Database): Promise<void> {
  await run(kysely)`
    delete from webhook_delivery
    where state <> 'waiting'
      and created_at < clock_timestamp() - make_interval(days => ${KEEP_DAYS})
  `;
  // Materialized, because the planner would look it up again for every row.
  await run(kysely)`
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
  `;
  // The last event stays: the next sequence follows on it.
  await run(kysely)`
    delete from line_event
    where sequence < (select max(sequence) from line_event)
      and sequence < coalesce(
        (select min(next_sequence) from webhook_endpoint where is_on), 9223372036854775807)
  `;
}
