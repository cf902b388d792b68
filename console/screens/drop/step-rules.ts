import type { Announcement } from '../../../contract/drop/draw-record.ts';
import type { ScheduledStep } from '../../../contract/drop/step-words.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { formatAmount, formatCount } from '../../ui/formats.ts';

export type DropState = DropFacts['drop']['state'];

export const STATES: readonly {
  readonly state: DropState;
  readonly name: string;
  readonly about: string;
}[] = [
  { state: 'open', name: 'Open', about: 'Members join, move up, and name their sizes.' },
  { state: 'frozen', name: 'Frozen', about: 'The list is public, and its order stays.' },
  { state: 'selected', name: 'Selected', about: 'The draw is made; anyone can recompute it.' },
  { state: 'offering', name: 'Offering', about: 'Members are offered masks, and answer.' },
  { state: 'closed', name: 'Closed', about: 'No more offers. What was public stays public.' },
];

export type Progress = 'done' | 'current' | 'ahead';

export function progressOf(state: DropState, current: DropState): Progress {
  const order = STATES.map((row) => row.state);
  const distance = order.indexOf(state) - order.indexOf(current);
  if (distance === 0) return 'current';
  return distance < 0 ? 'done' : 'ahead';
}

export type Step = ScheduledStep | 'unfreeze-drop' | 'open-drop';

type DescribedStep = {
  readonly label: string;
  readonly title?: string;
  readonly about: string;
  readonly undo: string;
};

/** `until`: the last state in which the step can be taken, or planned. */
export const STEPS: Readonly<Record<ScheduledStep, DescribedStep & { readonly until: DropState }>> =
  {
    'freeze-drop': {
      until: 'open',
      label: 'Freeze the line',
      about:
        'Keeps the order of the first members as it is at that moment. Their list, without ' +
        'addresses, and its hash are public at once.',
      undo: 'It can be undone until the draw is announced.',
    },
    'announce-draw': {
      until: 'frozen',
      label: 'Announce the draw',
      about:
        'Fixes how many masks of each size are given, how members are chosen, and the ' +
        'randomness. All of it is public before anybody can know the outcome.',
      undo: 'It cannot be undone.',
    },
    'select-entrants': {
      until: 'frozen',
      label: 'Make the draw',
      about:
        'Applies the announced rule to the frozen list. There is one possible outcome, and it is ' +
        'public at once.',
      undo: 'It cannot be undone.',
    },
    'start-offers': {
      until: 'selected',
      label: 'Start the offers',
      about:
        'Mails the chosen members a pass with a deadline, or whoever had entered by card what ' +
        'the cards left. Masks that come back go to the next in the draw order by themselves.',
      undo: 'The first mails leave at once: it cannot be undone.',
    },
    'close-drop': {
      until: 'offering',
      label: 'Close the drop',
      title: 'Members answer their offers',
      about:
        'Masks that come back go to the next in the draw order by themselves. Close the drop ' +
        'when no more are to be made: open ones end with it, and passes stay valid.',
      undo: 'Closing cannot be undone.',
    },
  };

export function nextStepOf({
  drop: { state, number, announcement },
}: Pick<DropFacts, 'drop'>): DescribedStep & { readonly step: Step } {
  if (state === 'closed')
    return {
      step: 'open-drop',
      label: `Open drop ${number + 1}`,
      about: 'The next drop begins with the line as it is then, and with the stock that is left.',
      undo: 'It cannot be undone, and changes nothing for members.',
    };
  const next = {
    open: 'freeze-drop',
    frozen: announcement === null ? 'announce-draw' : 'select-entrants',
    selected: 'start-offers',
    offering: 'close-drop',
  } as const;
  return { step: next[state], ...STEPS[next[state]] };
}

export function timeOf(state: DropState, { drop, offering_at }: DropFacts): string | null {
  const times: Readonly<Record<DropState, string | null>> = {
    open: null,
    frozen: drop.frozen_at,
    selected: drop.selected_at,
    offering: offering_at,
    closed: drop.closed_at,
  };
  return times[state];
}

export function describeRule({ masks, by_rank, drawn_among }: Announcement): string {
  const total = masks.reduce((sum, size) => sum + size.masks, 0);
  if (by_rank === total) return `${formatAmount(total, 'mask')}, all by rank.`;
  const among = `drawn among the first ${formatCount(drawn_among)}`;
  if (by_rank === 0) return `${formatAmount(total, 'mask')}, ${among}.`;
  return (
    `${formatCount(by_rank)} of ${formatAmount(total, 'mask')} by rank, ` +
    `${formatCount(total - by_rank)} ${among}.`
  );
}

export function stepsAhead({
  state,
  announcement,
}: Pick<DropFacts['drop'], 'state' | 'announcement'>): ScheduledStep[] {
  const steps = Object.keys(STEPS) as ScheduledStep[];
  return steps.filter(
    (step) =>
      progressOf(STEPS[step].until, state) !== 'done' &&
      !(step === 'announce-draw' && announcement !== null) &&
      state !== 'closed',
  );
}
