/** Steps that a drop takes by itself. Each step settles its own schedule when it is done. */
import { STEP_WORDS } from '../../../contract/drop/step-words.ts';
import type { ScheduledStep } from '../../../contract/operator/drop/schedule-changes.ts';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { readNow } from '../offers/offer-store.ts';
import { getDrop } from '../steps/drop-state.ts';
import { type DropRow, readLockedDrop, updateDrop } from '../steps/drop-store.ts';
import type { CalendarEvent } from './calendar-rules.ts';
import { assertTimeZone, isTaken, timeProblem } from './schedule-rules.ts';
import {
  cancelSteps,
  type NewStep,
  readSteps,
  type ScheduledStepRow,
  type Scheduling,
  writeStep,
} from './schedule-store.ts';

export type { ScheduledStepRow };

type WantedStep = Omit<NewStep, 'drop_number'>;

export type ScheduledChange = {
  readonly drop: DropRow;
  readonly after: ScheduledStepRow;
  /** As it was scheduled before; null when it was not. */
  readonly before: ScheduledStepRow | null;
};

export type Schedule = {
  readonly drop: DropRow;
  readonly now: Date;
  readonly steps: readonly ScheduledStepRow[];
};

export async function getSchedule(database: Pick<Database, 'kysely'>): Promise<Schedule> {
  const drop = await getDrop(database);
  return { drop, now: await readNow(database), steps: await readSteps(database, drop.number) };
}

/** Replaces an earlier time of the step. Throws Problem invalid_field or conflict. */
export async function scheduleStep(
  transaction: Transaction,
  wanted: WantedStep,
): Promise<ScheduledChange> {
  const drop = await readLockedDrop(transaction);
  const { step, due_at, time_zone } = wanted;
  assertTimeZone(time_zone);
  if (isTaken(step, drop))
    throw new Problem('conflict', `Drop ${drop.number} is ${drop.state}: it has taken this step.`);
  const steps = await readSteps({ kysely: transaction }, drop.number);
  const others = steps.filter((other) => other.state === 'scheduled' && other.step !== step);
  const now = await readNow({ kysely: transaction });
  const problem = timeProblem({ step, due_at }, others, now);
  if (problem !== null) throw new Problem('invalid_field', problem);
  const before = steps.find((one) => one.step === step && one.state === 'scheduled') ?? null;
  const after = await writeStep(transaction, { ...wanted, drop_number: drop.number });
  return { drop, before, after };
}

/** Throws Problem conflict when it is not scheduled. */
export async function unscheduleStep(
  transaction: Transaction,
  step: ScheduledStep,
): Promise<ScheduledChange & { readonly before: ScheduledStepRow }> {
  const drop = await readLockedDrop(transaction);
  const steps = await readSteps({ kysely: transaction }, drop.number);
  const before = steps.find((one) => one.step === step && one.state === 'scheduled');
  if (before === undefined)
    throw new Problem('conflict', `This step of drop ${drop.number} is not scheduled.`);
  await cancelSteps(transaction, drop.number, step);
  return { drop, before, after: { ...before, revision: before.revision + 1 } };
}

/** For an undo. Throws Problem conflict when the step was changed or taken since. */
export async function restoreStep(
  transaction: Transaction,
  {
    number,
    step,
    revision,
    before,
  }: {
    readonly number: number;
    readonly step: ScheduledStep;
    /** Revision after the change that is undone. */
    readonly revision: number;
    readonly before: WantedStep | null;
  },
): Promise<void> {
  await readLockedDrop(transaction);
  const steps = await readSteps({ kysely: transaction }, number);
  const current = steps.find((one) => one.step === step);
  if (
    current?.revision !== revision ||
    (current.state !== 'scheduled' && current.state !== 'cancelled')
  )
    throw new Problem('conflict', 'This step has since been taken or rescheduled.');
  if (before === null) await cancelSteps(transaction, number, step);
  else await scheduleStep(transaction, before);
}

/** Shows or hides the schedule on the site. Throws Problem conflict when nothing would change. */
export async function publishSchedule(
  transaction: Transaction,
  isPublic: boolean,
): Promise<Schedule> {
  await readLockedDrop(transaction);
  const schedule = await getSchedule({ kysely: transaction });
  const { drop } = schedule;
  if (drop.is_schedule_public === isPublic)
    throw new Problem(
      'conflict',
      `The schedule of drop ${drop.number} is ${isPublic ? 'public already' : 'not public'}.`,
    );
  await updateDrop(transaction, drop.number, { is_schedule_public: isPublic });
  return schedule;
}

/** Whether the step is still due as it was read. Locks the drop until the transaction ends. */
export async function isStillDue(
  transaction: Transaction,
  { drop_number, step, revision }: ScheduledStepRow,
): Promise<boolean> {
  await readLockedDrop(transaction);
  const steps = await readSteps({ kysely: transaction }, drop_number);
  const now = await readNow({ kysely: transaction });
  return steps.some(
    (one) =>
      one.step === step &&
      one.state === 'scheduled' &&
      one.revision === revision &&
      one.due_at <= now,
  );
}

/** Steps done or scheduled; none before the schedule is public. */
export function publicEvents(
  { drop, steps }: Schedule,
  site: { readonly publicUrl: string; readonly host: string; readonly name: string },
): CalendarEvent[] {
  if (!drop.is_schedule_public) return [];
  const shown = steps.filter(({ state }) => state === 'scheduled' || state === 'done');
  return shown.map(({ step, revision, revised_at, due_at }) => ({
    uid: `drop-${drop.number}-${step}@${site.host}`,
    sequence: revision,
    changedAt: revised_at,
    at: due_at,
    summary: `${site.name}: ${STEP_WORDS[step]}`,
    url: site.publicUrl,
  }));
}

export function nextPublicStep({ drop, steps }: Schedule): ScheduledStepRow | null {
  if (!drop.is_schedule_public) return null;
  return steps.find(({ state }) => state === 'scheduled') ?? null;
}

/** The change that set this revision, or this time before it was restored by an undo. */
export function findScheduling(
  schedulings: readonly Scheduling[],
  { step, revision, due_at }: Pick<ScheduledStepRow, 'step' | 'revision' | 'due_at'>,
): Scheduling | undefined {
  const ofStep = schedulings.filter((one) => one.step === step);
  const at = due_at.toISOString();
  return ofStep.find((one) => one.revision === revision) ?? ofStep.find((one) => one.at === at);
}
