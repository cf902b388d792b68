/** The steps that a drop takes by itself, from the command line. */
import type { WantedChange } from '../../../contract/operator/changes.ts';
import type { Schedule } from '../../../contract/operator/drop/schedule.ts';
import {
  SCHEDULED_STEPS,
  type ScheduledStep,
} from '../../../contract/operator/drop/schedule-changes.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import { type Options, UsageError } from '../../command-line/command.ts';
import { print } from '../../command-line/output.ts';
import type { Verbs } from '../../command-line/verbs.ts';
import { callOperator } from '../call-operator.ts';
import { makeChange } from '../changes/make-change.ts';
import { renderTable } from '../table.ts';

/** The words of the command line for the steps. */
const STEPS: Readonly<Record<string, ScheduledStep>> = {
  freeze: 'freeze-drop',
  announce: 'announce-draw',
  select: 'select-entrants',
  offer: 'start-offers',
  close: 'close-drop',
};

export const scheduleVerbs: Verbs = {
  schedule: { usage: '', run: showSchedule },
  unschedule: { usage: '<step>', run: unschedule, completesLast: () => Object.keys(STEPS) },
  'publish-schedule': { usage: '', run: (...call) => publish(true, ...call) },
  'hide-schedule': { usage: '', run: (...call) => publish(false, ...call) },
};

export const SCHEDULE_OPTIONS = ['when'] as const;

type StepChange = Extract<WantedChange, { kind: ScheduledStep }>;
type Words = readonly string[];

/** Takes the step, or with `--when` schedules it. */
export async function takeStep(
  config: Config,
  { kind, input }: StepChange,
  options: Options,
): Promise<void> {
  if (options.when === undefined)
    return await makeChange(config, { kind, input } as StepChange, options);
  const at = Date.parse(options.when);
  if (Number.isNaN(at))
    throw new UsageError('--when needs a time, such as 2026-05-01T18:00+02:00.');
  const scheduled = {
    at: new Date(at).toISOString(),
    time_zone: options['time-zone'] ?? ownTimeZone(),
    step: { [kind]: input },
  };
  await makeChange(config, { kind: 'schedule-step', input: scheduled }, options);
}

/** That of this machine. */
export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

async function showSchedule(config: Config, _words: Words, { json }: Options): Promise<void> {
  const schedule = await callOperator<Schedule>(config, { path: operatorPaths.schedule });
  const rows = schedule.steps.map(({ step, at, time_zone, state, failure, scheduled_by }) => [
    step,
    at,
    time_zone,
    failure === null ? state : `${state}: ${failure}`,
    scheduled_by ?? '',
  ]);
  print(json, schedule, () =>
    rows.length === 0
      ? 'Nothing is scheduled.'
      : [
          renderTable(['Step', 'At', 'Time zone', 'State', 'By'], rows),
          schedule.is_public ? 'The site shows it.' : 'The site does not show it.',
        ].join('\n'),
  );
}

async function unschedule(config: Config, [word = '']: Words, options: Options): Promise<void> {
  const step = SCHEDULED_STEPS.find((one) => one === word || STEPS[word] === one);
  if (step === undefined)
    throw new UsageError(`${word} is no step: use ${Object.keys(STEPS).join(', ')}.`);
  await makeChange(config, { kind: 'unschedule-step', input: { step } }, options);
}

async function publish(
  isPublic: boolean,
  config: Config,
  _words: Words,
  options: Options,
): Promise<void> {
  await makeChange(config, { kind: 'publish-schedule', input: { is_public: isPublic } }, options);
}
