/** The server takes steps of the drop by itself, at times that operators set. */
import { STEP_WORDS } from '../../../contract/drop/step-words.ts';
import {
  SCHEDULED_STEPS,
  type ScheduledStep,
  type ScheduleInput,
} from '../../../contract/operator/drop/schedule-changes.ts';
import type { Operation } from '../../changes/operation.ts';
import { type Transaction, undoneWithin } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { dropSubject } from '../steps/drop-state.ts';
import type { StepOperations } from '../steps/step-changes.ts';
import {
  publishSchedule,
  restoreStep,
  type ScheduledChange,
  type ScheduledStepRow,
  scheduleStep,
  unscheduleStep,
} from './schedule.ts';
import { describeTime, noticeProblem } from './schedule-rules.ts';

type Undo = {
  readonly number: number;
  readonly step: ScheduledStep;
  readonly revision: number;
  readonly before:
    | (Pick<ScheduledStepRow, 'input' | 'time_zone'> & { readonly due_at: string })
    | null;
};

export function openScheduleStep(steps: StepOperations): Operation<'schedule-step'> {
  return {
    kind: 'schedule-step',
    isForOwners: true,
    // Trying the freeze needs it.
    lock: 'line',
    async apply(transaction, wanted) {
      const { time_zone } = wanted;
      const { step, input } = onlyStep(wanted);
      const at = new Date(wanted.at);
      assertNotice(wanted.step['announce-draw'], at);
      const change = await scheduleStep(transaction, { step, input, due_at: at, time_zone });
      const { number, is_schedule_public: isPublic } = change.drop;
      return {
        effects: {
          sentences: [
            `${STEP_WORDS[step]} on ${describeTime(at, time_zone)}.`,
            ...describeBefore(change),
            'The server does so by itself. If it cannot, owners are mailed the reason.',
            isPublic ? 'The site shows the time at once.' : 'The site does not show the time.',
            ...(await tryNow(transaction, steps[step] as Operation, input)),
          ],
          counts: {},
        },
        summary: `${step} was scheduled for drop ${number}, at ${at.toISOString()}.`,
        subject: dropSubject(number),
        details: { step, at: at.toISOString(), time_zone, input, revision: change.after.revision },
        undo: undoOf(change),
      };
    },
    undo: undoSchedule,
  };
}

export const unscheduleStepOperation: Operation<'unschedule-step'> = {
  kind: 'unschedule-step',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { step }) {
    const change = await unscheduleStep(transaction, step);
    const { number, is_schedule_public: isPublic } = change.drop;
    const { due_at: at, time_zone } = change.before;
    return {
      effects: {
        sentences: [
          `No longer scheduled: ${STEP_WORDS[step]} on ${describeTime(at, time_zone)}.`,
          isPublic ? 'The site stops showing it.' : 'The site has not shown it.',
        ],
        counts: {},
      },
      summary: `${step} is no longer scheduled for drop ${number}.`,
      subject: dropSubject(number),
      details: { step, at: at.toISOString() },
      undo: undoOf(change),
    };
  },
  undo: undoSchedule,
};

/** Throws Problem invalid_field unless there is exactly one. */
function onlyStep({ step: steps }: ScheduleInput): { step: ScheduledStep; input: object } {
  const [only, ...more] = SCHEDULED_STEPS.flatMap((step) => {
    const input = steps[step];
    return input === undefined ? [] : [{ step, input }];
  });
  if (only === undefined || more.length > 0)
    throw new Problem('invalid_field', `Schedule one of ${SCHEDULED_STEPS.join(', ')} at a time.`);
  return only;
}

function assertNotice(draw: ScheduleInput['step']['announce-draw'], at: Date): void {
  const problem = draw?.source === 'quicknet' ? noticeProblem(at, draw.draw_at) : null;
  if (problem !== null) throw new Problem('invalid_field', problem);
}

async function tryNow(
  transaction: Transaction,
  operation: Operation,
  input: object,
): Promise<string[]> {
  try {
    const { effects } = await undoneWithin(transaction, () =>
      operation.apply(transaction, input as never, undefined as never),
    );
    return ['Done now, it would say:', ...effects.sentences];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [`Done now, it would fail: ${error.detail}`];
  }
}

function describeBefore({ before }: ScheduledChange): string[] {
  if (before === null) return [];
  return [`So far it was scheduled for ${describeTime(before.due_at, before.time_zone)}.`];
}

function undoOf({ before, after }: ScheduledChange): Undo {
  const { drop_number: number, step, revision } = after;
  if (before === null) return { number, step, revision, before };
  const { input, time_zone, due_at } = before;
  return { number, step, revision, before: { input, time_zone, due_at: due_at.toISOString() } };
}

async function undoSchedule(transaction: Transaction, undo: Undo) {
  const { number, step, before } = undo;
  await restoreStep(transaction, {
    ...undo,
    before: before && {
      step,
      input: before.input as object,
      time_zone: before.time_zone,
      due_at: new Date(before.due_at),
    },
  });
  const after = before === null ? 'not scheduled' : `scheduled for ${before.due_at}`;
  return { summary: `${step} of drop ${number} is ${after} again.` };
}

export const publishScheduleOperation: Operation<'publish-schedule'> = {
  kind: 'publish-schedule',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { is_public: isPublic }) {
    const { drop, steps } = await publishSchedule(transaction, isPublic);
    const coming = steps.filter(({ state }) => state === 'scheduled');
    return {
      effects: {
        sentences: isPublic
          ? [
              'The site counts down to the next step, and has a calendar file of all of them.',
              'What is scheduled from now on is public at once.',
              ...coming.map(
                ({ step, due_at, time_zone }) =>
                  `${STEP_WORDS[step]} on ${describeTime(due_at, time_zone)}.`,
              ),
            ]
          : ['The site stops showing the schedule. Steps are taken all the same.'],
        counts: { steps: coming.length },
      },
      summary: `The schedule of drop ${drop.number} is ${isPublic ? 'public' : 'hidden'} now.`,
      subject: dropSubject(drop.number),
      details: { is_public: isPublic },
      undo: null,
    };
  },
};
