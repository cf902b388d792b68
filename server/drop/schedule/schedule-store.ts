/** Scheduled steps of drops. Writers hold the lock on sizes. */
import { sql } from 'kysely';
import { SCHEDULED_STEPS, type ScheduledStep } from '../../../contract/drop/step-words.ts';
import type { Actor } from '../../access/actor.ts';
import type { Reader } from '../../db/database.ts';
import { all, column, first, only, run } from '../../db/rows.ts';
import type { ScheduledStepRow } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';

const inOrder = sql`due_at, array_position(${sql.val([...SCHEDULED_STEPS])}::text[], step)`;

export function readSteps({ kysely }: Reader, number: number) {
  return all<ScheduledStepRow>(kysely)`
    select * from scheduled_step where drop_number = ${number} order by ${inOrder}
  `;
}

export function readDueStep({ kysely }: Reader) {
  return first<ScheduledStepRow>(kysely)`
    select * from scheduled_step where state = 'scheduled' and due_at <= clock_timestamp()
    order by ${inOrder} limit 1
  `;
}

type NewStep = Pick<ScheduledStepRow, 'drop_number' | 'step' | 'due_at' | 'time_zone'> & {
  readonly input: object;
};
export type WantedStep = Omit<NewStep, 'drop_number'>;

export function writeStep(
  transaction: Transaction,
  { drop_number, step, input, due_at, time_zone }: NewStep,
) {
  return only<ScheduledStepRow>(transaction)`
    insert into scheduled_step as known (drop_number, step, input, due_at, time_zone)
    values (${drop_number}, ${step}, ${JSON.stringify(input)}::jsonb, ${due_at}::timestamptz,
      ${time_zone})
    on conflict (drop_number, step) do update
    set input = excluded.input, due_at = excluded.due_at, time_zone = excluded.time_zone,
      state = 'scheduled', failure = null, settled_at = null,
      revision = known.revision + 1, revised_at = excluded.revised_at
    returning *
  `;
}

/** A failed step that an operator takes by hand is done, too. */
export function markDone(transaction: Transaction, number: number, step: ScheduledStep) {
  return run(transaction)`
    update scheduled_step set state = 'done', failure = null, settled_at = clock_timestamp()
    where drop_number = ${number} and step = ${step} and state in ('scheduled', 'failed')
  `;
}

export function markFailed(
  transaction: Transaction,
  { drop_number, step }: Pick<ScheduledStepRow, 'drop_number' | 'step'>,
  failure: string,
) {
  return run(transaction)`
    update scheduled_step
    set state = 'failed', failure = ${failure}, settled_at = clock_timestamp()
    where drop_number = ${drop_number} and step = ${step}
  `;
}

export function cancelSteps(
  transaction: Transaction,
  number: number,
  steps: readonly ScheduledStep[] = SCHEDULED_STEPS,
) {
  return column<ScheduledStep>(transaction)`
    update scheduled_step
    set state = 'cancelled', failure = null, settled_at = clock_timestamp(),
      revision = revision + 1, revised_at = clock_timestamp()
    where drop_number = ${number} and state = 'scheduled' and step = any(${[...steps]}::text[])
    returning step
  `;
}

export type Scheduling = {
  readonly change: number;
  readonly step: string;
  readonly at: string;
  readonly revision: number;
  readonly actor: Actor;
  readonly reason: string;
};

export function readSchedulings({ kysely }: Reader, drop: number) {
  return all<Scheduling>(kysely)`
    select sequence as change, details->>'step' as step, details->>'at' as at,
      (details->>'revision')::integer as revision, reason,
      json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) as actor
    from audit_entry
    where subject_kind = 'drop' and subject_id = ${String(drop)} and action = 'schedule-step'
    order by sequence desc
  `;
}
