import { sql } from 'kysely';
import type { WholeEndpoint } from '../../contract/operator/webhooks/webhooks.ts';
import type { Database } from '../db/database.ts';
import { isoTime } from '../db/iso-time.ts';
import { all, first, run, some, value } from '../db/rows.ts';
import type { Transaction } from '../db/transaction.ts';
import { isAhead } from '../durable-work/work-store.ts';
import { DOWN_AFTER_FAILURES } from './retry-rules.ts';

/** The kind of work; its keys are ids of endpoints. */
export const WEBHOOK = 'webhook';

export type Endpoint = Omit<WholeEndpoint, 'origin'> & {
  readonly secret_number: number;
  readonly next_sequence: number;
  readonly next_ordinal: number;
  readonly is_paused: boolean;
};

const ENDPOINTS = sql`
  select id, url, events, is_on, off_reason, failures, secret_number, next_sequence, next_ordinal,
    ${isoTime(sql`created_at`)} as created_at, ${isoTime(sql`failing_since`)} as failing_since,
    coalesce(${isAhead(sql`retry_at`)}, false) as is_paused, waiting,
    ${isoTime(sql`case
      when not is_on or failing_since is null or waiting = 0 then null
      when ${isAhead(sql`retry_at`)} then retry_at
      when failures >= ${DOWN_AFTER_FAILURES} then clock_timestamp()
      else coalesce(due_at, clock_timestamp()) end`)} as next_attempt_at,
    ${isoTime(sql`case when old_secret_until > clock_timestamp() then old_secret_until end`)}
      as old_secret_until
  from webhook_endpoint endpoint
  cross join lateral (
    select count(*)::integer as waiting,
      case when bool_and(${isAhead(sql`next_at`)}) then min(next_at) end as due_at
    from webhook_delivery where endpoint_id = endpoint.id and state = 'waiting'
  ) backlog`;

export function readEndpoints(queries: Database['kysely']) {
  return all<Endpoint>(queries)`${ENDPOINTS} order by endpoint.created_at, id`;
}

export function readEndpoint(queries: Database['kysely'], id: string) {
  return first<Endpoint>(queries)`${ENDPOINTS} where id = ${id}`;
}

/** Begins to serve endpoints with something to send. Returns whether any is served. */
export function beginServing({ kysely }: Database) {
  return some(kysely)`
    with begun as (
      insert into work (kind, key, progress, due_at)
      select ${WEBHOOK}, id, '{}', '-infinity' from webhook_endpoint endpoint
      where is_on and not ${isAhead(sql`coalesce(retry_at, '-infinity')`)}
        and (next_sequence <= (select max(sequence) from line_event)
          or exists (
            select from webhook_delivery where endpoint_id = endpoint.id and state = 'waiting'
              and (failures >= ${DOWN_AFTER_FAILURES} or not ${isAhead(sql`next_at`)})))
      on conflict do nothing returning 1
    )
    select 1 from begun union all select 1 from work where kind = ${WEBHOOK}
  `;
}

/** Returns the id. The endpoint gets later events. The caller holds the line lock. */
export function insertEndpoint(
  transaction: Transaction,
  { url, events }: Pick<Endpoint, 'url' | 'events'>,
) {
  return value<string>(transaction)`
    insert into webhook_endpoint (url, events, next_sequence)
    values (${url}, ${events}::text[], (select coalesce(max(sequence), 0) + 1 from line_event))
    returning id
  `;
}

/** A new URL is tried at once. The caller holds the line lock. */
export async function updateEndpoint(
  transaction: Transaction,
  endpoint: Pick<Endpoint, 'id' | 'url' | 'events' | 'is_on' | 'off_reason'>,
): Promise<void> {
  const { id, url, events, is_on, off_reason } = endpoint;
  const isSame = sql`${is_on} and is_on and url = ${url}`;
  const isNewlyOn = sql`${is_on} and not is_on`;
  await run(transaction)`
    update webhook_endpoint set
      url = ${url}, events = ${events}::text[], is_on = ${is_on}, off_reason = ${off_reason},
      failures = case when ${isSame} then failures else 0 end,
      failing_since = case when ${isSame} then failing_since end,
      retry_at = case when ${isSame} then retry_at end,
      next_sequence = case when ${isNewlyOn}
        then (select coalesce(max(sequence), 0) + 1 from line_event) else next_sequence end,
      next_ordinal = case when ${isNewlyOn} then 0 else next_ordinal end
    where id = ${id}
  `;
  if (is_on) return;
  await run(transaction)`
    update webhook_delivery set state = 'given_up', cause = coalesce(cause, 'switched off')
    where endpoint_id = ${id} and state = 'waiting'
  `;
}

/** For a day events are signed with the old secret and the new. */
export function rotateSecret(transaction: Transaction, id: string) {
  return run(transaction)`
    update webhook_endpoint set secret_number = secret_number + 1,
      old_secret_until = clock_timestamp() + interval '24 hours'
    where id = ${id}
  `;
}

export function deleteEndpoint(transaction: Transaction, id: string) {
  return run(transaction)`delete from webhook_endpoint where id = ${id}`;
}

export function setRecorded(transaction: Transaction, kinds: readonly string[]) {
  return run(transaction)`
    update line_state set recorded_events = ${kinds}::text[]
    where recorded_events <> ${kinds}::text[]
  `;
}
