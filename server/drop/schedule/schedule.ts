import { STEP_WORDS } from '../../../contract/drop/step-words.ts';
import type { Schedule as ScheduleView } from '../../../contract/operator/drop/schedule.ts';
import type { Reader } from '../../db/database.ts';
import { isoRow } from '../../db/iso-time.ts';
import type { ScheduledStepRow } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import { getDrop, lockDrop, readNow } from '../drop-store.ts';
import type { CalendarEvent } from './calendar-rules.ts';
import { readDueStep, readSchedulings, readSteps, type Scheduling } from './schedule-store.ts';

type Schedule = Awaited<ReturnType<typeof getSchedule>>;

export async function getSchedule(database: Reader) {
  const drop = await getDrop(database);
  return { drop, now: await readNow(database), steps: await readSteps(database, drop.number) };
}

export async function describeSchedule(database: Reader): Promise<ScheduleView> {
  const { drop, now, steps } = await getSchedule(database);
  const schedulings = await readSchedulings(database, drop.number);
  return {
    drop: drop.number,
    state: drop.state,
    now: now.toISOString(),
    is_public: drop.is_schedule_public,
    steps: steps.map((row) => {
      const by = findScheduling(schedulings, row);
      const { step, due_at: at, time_zone, state, failure, settled_at } = isoRow(row);
      return {
        step,
        at,
        time_zone,
        state,
        failure,
        settled_at,
        input: row.input,
        scheduled_by: by?.actor.name ?? null,
        change: by?.change ?? null,
      };
    }),
  };
}

export type NextFreeze = Awaited<ReturnType<typeof getNextFreeze>>;

/** Times of the next freeze, if it has one: of operators, and as the site shows it. */
export async function getNextFreeze(database: Reader) {
  const { drop, steps } = await getSchedule(database);
  const step = steps.find(
    (scheduled) => scheduled.step === 'freeze-drop' && scheduled.state === 'scheduled',
  );
  const at = step?.due_at ?? null;
  const publicAt = drop.is_schedule_public ? at : null;
  return { state: drop.state, at, publicAt, timeZone: drop.time_zone };
}

/** Whether the step is still the next one, as it was read. Locks the drop until the end. */
export async function isStillDue(
  transaction: Transaction,
  { drop_number, step, revision }: ScheduledStepRow,
): Promise<boolean> {
  await lockDrop(transaction);
  const due = await readDueStep({ kysely: transaction });
  return due?.drop_number === drop_number && due.step === step && due.revision === revision;
}

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
  const ofStep = schedulings.filter((scheduling) => scheduling.step === step);
  const at = due_at.toISOString();
  return (
    ofStep.find((scheduling) => scheduling.revision === revision) ??
    ofStep.find((scheduling) => scheduling.at === at)
  );
}
