/** Scheduled steps of drops. Writers hold the lock on sizes. */
import { sql } from 'kysely';
import { SCHEDULED_STEPS, type ScheduledStep } from '../../../contract/drop/step-words.ts';
import type { Actor } from '../../access/actor.ts';
import type { Reader } from '../../db/database.ts';
import { all, only } from '../../db/rows.ts';
import type { ScheduledStepRow } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';

export type { ScheduledStepRow };

const CLOCK = sql<Date>`clock_timestamp()`;
const inOrder = sql`due_at, array_position(${sql.val([...SCHEDULED_STEPS])}::text[], step)`;

export async function readSteps({ kysely }: Reader, number: number): Promise<ScheduledStepRow[]> {
  return await kysely
    .selectFrom('scheduled_step')
    .selectAll()
    .where('drop_number', '=', number)
    .orderBy(inOrder)
    .execute();
}

export async function readDueStep({ kysely }: Reader): Promise<ScheduledStepRow | null> {
  const row = await kysely
    .selectFrom('scheduled_step')
    .selectAll()
    .where('state', '=', 'scheduled')
    .where('due_at', '<=', CLOCK)
    .orderBy(inOrder)
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
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
export async function markDone(
  transaction: Transaction,
  number: number,
  step: ScheduledStep,
): Promise<void> {
  await settle(transaction, { state: 'done', failure: null })
    .where('drop_number', '=', number)
    .where('step', '=', step)
    .where('state', 'in', ['scheduled', 'failed'])
    .execute();
}

export async function markFailed(
  transaction: Transaction,
  { drop_number, step }: Pick<ScheduledStepRow, 'drop_number' | 'step'>,
  failure: string,
): Promise<void> {
  await settle(transaction, { state: 'failed', failure })
    .where('drop_number', '=', drop_number)
    .where('step', '=', step)
    .execute();
}

export async function cancelSteps(
  transaction: Transaction,
  number: number,
  steps: readonly ScheduledStep[] = SCHEDULED_STEPS,
): Promise<ScheduledStep[]> {
  const rows = await settle(transaction, { state: 'cancelled', failure: null })
    .set({ revision: sql<number>`revision + 1`, revised_at: CLOCK })
    .where('drop_number', '=', number)
    .where('state', '=', 'scheduled')
    .where('step', 'in', steps)
    .returning('step')
    .execute();
  return rows.map(({ step }) => step);
}

function settle(
  transaction: Transaction,
  to: Pick<ScheduledStepRow, 'failure'> & { state: 'done' | 'failed' | 'cancelled' },
) {
  return transaction.updateTable('scheduled_step').set({ ...to, settled_at: CLOCK });
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
