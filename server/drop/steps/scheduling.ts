import {
  SCHEDULED_STEPS,
  type ScheduledStep,
  STEP_WORDS,
} from '../../../contract/drop/step-words.ts';
import type { ChangeInput } from '../../../contract/operator/changes.ts';
import type { Operation } from '../../changes/operation.ts';
import type { ScheduledStepRow } from '../../db/schema/feature-tables.ts';
import { type Transaction, undoneWithin } from '../../db/transaction.ts';
import { conflict, invalidField, Problem } from '../../problem.ts';
import { changeOf, lockDrop, readNow, updateDrop } from '../drop-store.ts';
import { getSchedule } from '../schedule/schedule.ts';
import {
  assertTimeZone,
  describeTime,
  isTaken,
  noticeProblem,
  readMoment,
  timeProblem,
} from '../schedule/schedule-rules.ts';
import { cancelSteps, readSteps, type WantedStep, writeStep } from '../schedule/schedule-store.ts';
import { planStart } from './start-offers.ts';

export type StepOperations = { readonly [Step in ScheduledStep]: Operation<Step> };

export function openScheduleStep(steps: StepOperations): Operation<'schedule-step'> {
  return {
    isForOwners: true,
    // Trying the freeze needs it.
    lock: 'line',
    // The freeze alone reads for long; select-entrants would ask relays.
    async read({ step: { 'freeze-drop': freeze } }, isPreview) {
      return freeze && (await steps['freeze-drop'].read?.(freeze, isPreview));
    },
    async apply(transaction, wanted, read, isPreview) {
      const { time_zone } = wanted;
      const { step, input } = onlyStep(wanted);
      const at = readMoment(wanted.at);
      const { 'announce-draw': draw, 'start-offers': start } = wanted.step;
      const problem = draw?.source === 'quicknet' ? noticeProblem(at, draw.draw_at) : null;
      if (problem !== null) throw invalidField(problem);
      const scheduled = await scheduleStep(transaction, { step, input, due_at: at, time_zone });
      const { drop, before, revision } = scheduled;
      const { number, is_schedule_public: isPublic } = drop;
      const operation = steps[step] as Operation;
      const now = isPreview ? await tryNow(transaction, operation, { input, read }) : [];
      return changeOf(number, {
        sentences: [
          describeStep(step, at, time_zone),
          ...(before === null
            ? []
            : [`So far it was scheduled for ${describeTime(before.due_at, before.time_zone)}.`]),
          'The server does so by itself. If it cannot, owners are mailed the reason.',
          isPublic ? 'The site shows the time at once.' : 'The site does not show the time.',
          ...now,
        ],
        days: start === undefined ? [] : await planStart(transaction, at, start),
        summary: `Scheduled for drop ${number}: ${describeStep(step, at, time_zone)}`,
        details: { step, at: at.toISOString(), time_zone, input, revision },
        undo: { number, step, revision, before: before && timeOf(before) },
      });
    },
    undo: undoSchedule,
  };
}

export const unscheduleStepOperation: Operation<'unschedule-step'> = {
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { step }) {
    const { number, is_schedule_public: isPublic } = await lockDrop(transaction);
    const steps = await readSteps({ kysely: transaction }, number);
    const before = findScheduled(steps, step);
    if (before === null) throw conflict(`This step of drop ${number} is not scheduled.`);
    await cancelSteps(transaction, number, [step]);
    const { due_at: at, time_zone } = before;
    return changeOf(number, {
      sentences: [
        `No longer scheduled: ${describeStep(step, at, time_zone)}`,
        isPublic ? 'The site stops showing it.' : 'The site has not shown it.',
      ],
      summary: `No longer scheduled for drop ${number}: ${describeStep(step, at, time_zone)}`,
      details: { step, at: at.toISOString() },
      undo: { number, step, revision: before.revision + 1, before: timeOf(before) },
    });
  },
  undo: undoSchedule,
};

function describeStep(step: ScheduledStep, at: Date, timeZone: string): string {
  return `${STEP_WORDS[step]} on ${describeTime(at, timeZone)}.`;
}

function onlyStep({ step: steps }: ChangeInput<'schedule-step'>) {
  const [only, ...more] = SCHEDULED_STEPS.flatMap((step) => {
    const input = steps[step];
    return input === undefined ? [] : [{ step, input }];
  });
  if (only === undefined || more.length > 0)
    throw invalidField(`Schedule one of ${SCHEDULED_STEPS.join(', ')} at a time.`);
  return only;
}

async function scheduleStep(transaction: Transaction, wanted: WantedStep) {
  const drop = await lockDrop(transaction);
  const { number, state } = drop;
  assertTimeZone(wanted.time_zone);
  if (isTaken(wanted.step, drop))
    throw conflict(`Drop ${number} is ${state}: it has taken this step.`);
  const steps = await readSteps({ kysely: transaction }, number);
  const others = steps.filter(
    (scheduled) => scheduled.state === 'scheduled' && scheduled.step !== wanted.step,
  );
  const problem = timeProblem(wanted, others, await readNow({ kysely: transaction }));
  if (problem !== null) throw invalidField(problem);
  const before = findScheduled(steps, wanted.step);
  const { revision } = await writeStep(transaction, { ...wanted, drop_number: number });
  return { drop, before, revision };
}

function findScheduled(steps: readonly ScheduledStepRow[], step: ScheduledStep) {
  return (
    steps.find((scheduled) => scheduled.step === step && scheduled.state === 'scheduled') ?? null
  );
}

async function tryNow(
  transaction: Transaction,
  operation: Operation,
  { input, read }: { readonly input: object; readonly read: unknown },
): Promise<string[]> {
  try {
    const { sentences = [] } = await undoneWithin(transaction, () =>
      operation.apply(transaction, input as never, read as never, true),
    );
    return ['Done now, it would say:', ...sentences];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [`Done now, it would fail: ${error.detail}`];
  }
}

function timeOf({ input, time_zone, due_at }: ScheduledStepRow) {
  return { input, time_zone, due_at: due_at.toISOString() };
}

type Undo = {
  readonly number: number;
  readonly step: ScheduledStep;
  readonly revision: number;
  readonly before: ReturnType<typeof timeOf> | null;
};

async function undoSchedule(transaction: Transaction, { number, step, revision, before }: Undo) {
  await lockDrop(transaction);
  const steps = await readSteps({ kysely: transaction }, number);
  const current = steps.find((scheduled) => scheduled.step === step);
  if (
    current?.revision !== revision ||
    (current.state !== 'scheduled' && current.state !== 'cancelled')
  )
    throw conflict('This step has since been taken or rescheduled.');
  if (before === null) await cancelSteps(transaction, number, [step]);
  else {
    const { input, time_zone, due_at } = before;
    const wanted = { step, input: input as object, time_zone, due_at: new Date(due_at) };
    await scheduleStep(transaction, wanted);
  }
  const after = before === null ? 'not scheduled' : `scheduled for ${before.due_at}`;
  return { summary: `${step} of drop ${number} is ${after} again.` };
}

export const publishScheduleOperation: Operation<'publish-schedule'> = {
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { is_public: isPublic }) {
    await lockDrop(transaction);
    const { drop, steps } = await getSchedule({ kysely: transaction });
    const { number } = drop;
    if (drop.is_schedule_public === isPublic)
      throw conflict(
        `The schedule of drop ${number} is ${isPublic ? 'public already' : 'not public'}.`,
      );
    await updateDrop(transaction, number, { is_schedule_public: isPublic });
    const coming = steps.filter(({ state }) => state === 'scheduled');
    return changeOf(number, {
      sentences: isPublic
        ? [
            'The site counts down to the next step, and has a calendar file of all of them.',
            'What is scheduled from now on is public at once.',
            ...coming.map(({ step, due_at, time_zone }) => describeStep(step, due_at, time_zone)),
          ]
        : ['The site stops showing the schedule. Steps are taken all the same.'],
      counts: { steps: coming.length },
      summary: `The schedule of drop ${number} is ${isPublic ? 'public' : 'hidden'} now.`,
      details: { is_public: isPublic },
    });
  },
};
