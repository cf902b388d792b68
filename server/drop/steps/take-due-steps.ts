import { STEP_WORDS } from '../../../contract/drop/step-words.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { mailOwners, type OwnerMailOptions } from '../../access/mail-owners.ts';
import { applyOperation } from '../../changes/make-changes.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Database } from '../../db/database.ts';
import type { ScheduledStepRow } from '../../db/schema/feature-tables.ts';
import { inTransaction } from '../../db/transaction.ts';
import { MINUTE_MS } from '../../durations.ts';
import { Problem } from '../../problem.ts';
import { dropSubject } from '../drop-store.ts';
import { findScheduling, isStillDue } from '../schedule/schedule.ts';
import { describeTime } from '../schedule/schedule-rules.ts';
import { markFailed, readDueStep, readSchedulings } from '../schedule/schedule-store.ts';
import { RoundMissing } from './relays.ts';
import type { StepOperations } from './scheduling.ts';

type ScheduleOptions = OwnerMailOptions & { readonly steps: StepOperations };

const ACTOR = { kind: 'system', id: null, name: 'schedule' } as const;

/** How long a draw waits for relays to have its round before it fails. */
const ROUND_PATIENCE_MS = 10 * MINUTE_MS;

/** Another server took the step, or an operator changed its time, since it was read. */
class NotDueError extends Error {}

/** A step that cannot be taken fails for good. Other errors, and a missing round, are retried. */
export async function takeDueSteps(options: ScheduleOptions): Promise<void> {
  for (;;) {
    const due = await readDueStep(options.database);
    if (due === null || !(await takeStep(options, due))) return;
  }
}

async function takeStep(options: ScheduleOptions, due: ScheduledStepRow): Promise<boolean> {
  const { database, steps } = options;
  const schedulings = await readSchedulings(database, due.drop_number);
  const by = findScheduling(schedulings, due);
  const scheduled = { in: by?.change ?? null, by: by?.actor ?? null };
  const operation = onceOnly(steps[due.step] as Operation, due, { scheduled });
  const reason = by?.reason ?? 'As scheduled';
  const input = due.input as never;
  try {
    const wanted = { kind: due.step, input, operation };
    await applyOperation({ database }, wanted, { actor: ACTOR, reason });
  } catch (error) {
    if (error instanceof NotDueError) return true;
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'unavailable') return false;
    if (error instanceof RoundMissing) {
      const since = Math.max(error.publicAt, due.due_at.getTime());
      if (Date.now() < since + ROUND_PATIENCE_MS) return false;
    }
    if (await recordFailure(database, due, { reason, failure: error.detail, scheduled }))
      await mailOwners(options, {
        subject: 'a step of the drop failed',
        before:
          `This was scheduled and did not happen: ${STEP_WORDS[due.step]} on ` +
          `${describeTime(due.due_at, due.time_zone)}. The reason: ${error.detail}`,
        after: 'Nothing was changed. It is not tried again: take the step yourself or schedule it.',
      });
  }
  return true;
}

function onceOnly(operation: Operation, due: ScheduledStepRow, details: object): Operation {
  return {
    ...operation,
    async apply(transaction, input, read) {
      if (!(await isStillDue(transaction, due))) throw new NotDueError();
      const applied = await operation.apply(transaction, input, read);
      return { ...applied, details: { ...applied.details, ...details } };
    },
  };
}

async function recordFailure(
  database: Database,
  due: ScheduledStepRow,
  { reason, failure, scheduled }: { reason: string; failure: string; scheduled: object },
): Promise<boolean> {
  return await inTransaction(database, async (transaction) => {
    if (!(await isStillDue(transaction, due))) return false;
    await markFailed(transaction, due, failure);
    const { drop_number: number, step } = due;
    await recordAudit(transaction, {
      actor: ACTOR,
      action: 'fail-step',
      subject: dropSubject(number),
      reason,
      details: {
        summary: `${step} of drop ${number} failed: ${failure}`,
        step,
        at: due.due_at.toISOString(),
        scheduled,
      },
    });
    return true;
  });
}
