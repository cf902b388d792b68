/** SQL of the log of deliveries. */
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Attempt, Delivery } from '../delivery/delivery-store.ts';

export type LoggedDelivery = Delivery & {
  readonly endpoint_id: string;
  readonly sequence: number;
  readonly ordinal: number;
  readonly state: 'waiting' | 'delivered' | 'given_up';
  readonly created_us: number;
  readonly last_attempt_at: Date | null;
  readonly next_at: Date | null;
  readonly status: number | null;
  readonly cause: string | null;
  readonly answer: string | null;
  readonly duration_ms: number | null;
};

const COLUMNS = sql`
  id, endpoint_id, event_id, kind, happened_at, sequence, ordinal, member_id, friend_id,
  referral_count, offer_id, state, attempts, last_attempt_at, status, cause, answer, duration_ms,
  case when state = 'waiting' and next_at > clock_timestamp() then next_at end as next_at,
  (extract(epoch from created_at) * 1000000)::bigint as created_us,
  coalesce((extract(epoch from clock_timestamp() - first_attempt_at) * 1000)::bigint, 0) as age_ms`;

/** Newest first, before the one that was created at `beforeUs` (microseconds since 1970). */
export async function readLog(
  { kysely }: Database,
  {
    endpointId,
    state,
    before,
    limit,
  }: {
    endpointId: string;
    state: string | null;
    before: { us: number; id: string };
    limit: number;
  },
): Promise<LoggedDelivery[]> {
  const { rows } = await sql<LoggedDelivery>`
    select ${COLUMNS} from webhook_delivery
    where endpoint_id = ${endpointId} and (${state}::text is null or state = ${state})
      and (created_at, id) < (
        'epoch'::timestamptz + ${before.us}::bigint * interval '1 microsecond', ${before.id}::uuid)
    order by created_at desc, id desc
    limit ${limit}
  `.execute(kysely);
  return rows;
}

export async function readDelivery(
  { kysely }: Database,
  id: string,
): Promise<LoggedDelivery | null> {
  const { rows } = await sql<LoggedDelivery>`
    select ${COLUMNS} from webhook_delivery where id = ${id}
  `.execute(kysely);
  return rows[0] ?? null;
}

/** An attempt that was made by hand, and has ended. Returns it as it is in the log. */
export async function insertAttempt(
  { kysely }: Database,
  {
    endpointId,
    event,
    attempt,
  }: {
    endpointId: string;
    event: Omit<Delivery, 'id' | 'attempts' | 'age_ms'> & { sequence: number; ordinal: number };
    attempt: Attempt;
  },
): Promise<LoggedDelivery | null> {
  const state = attempt.cause === null ? 'delivered' : 'given_up';
  const { rows } = await sql<LoggedDelivery>`
    insert into webhook_delivery (
      endpoint_id, event_id, kind, happened_at, sequence, ordinal, member_id, friend_id,
      referral_count, offer_id, state, attempts, first_attempt_at, last_attempt_at, status, cause,
      answer,
      duration_ms)
    values (
      ${endpointId}, ${event.event_id}, ${event.kind}, ${event.happened_at}, ${event.sequence},
      ${event.ordinal}, ${event.member_id}, ${event.friend_id}, ${event.referral_count},
      ${event.offer_id}, ${state}, 1, clock_timestamp(), clock_timestamp(), ${attempt.status},
      ${attempt.cause},
      ${attempt.answer}, ${attempt.durationMs})
    returning ${COLUMNS}
  `.execute(kysely);
  return rows[0] ?? null;
}

/** Numbers for the metrics: no long table is counted. */
export async function readBacklog({ kysely }: Database): Promise<{
  waiting: number;
  failing: number;
  oldest_seconds: number;
}> {
  const { rows } = await sql<{ waiting: number; failing: number; oldest_seconds: number }>`
    select
      (select count(*) from (
        select from webhook_delivery where state = 'waiting' limit 10000) waiting) as waiting,
      (select count(*) from webhook_endpoint where is_on and failing_since is not null) as failing,
      greatest(0, coalesce(extract(epoch from clock_timestamp() - least(
        (select min(happened_at) from webhook_delivery where state = 'waiting'),
        (select happened_at from line_event
          where sequence >= (select min(next_sequence) from webhook_endpoint where is_on)
          order by sequence limit 1))), 0))::float8 as oldest_seconds
  `.execute(kysely);
  return rows[0] ?? { waiting: 0, failing: 0, oldest_seconds: 0 };
}
