import type { Announcement } from '../../../contract/drop/draw-record.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import type { ScheduledStep } from '../../../contract/operator/drop/schedule-changes.ts';
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
  const order = STATES.map((one) => one.state);
  const distance = order.indexOf(state) - order.indexOf(current);
  if (distance === 0) return 'current';
  return distance < 0 ? 'done' : 'ahead';
}

export type Step = 'freeze' | 'unfreeze' | 'announce' | 'select' | 'offer' | 'close' | 'open';

export type NextStep = {
  readonly step: Step;
  readonly label: string;
  readonly title?: string;
  readonly about: string;
  readonly undo: string;
};

export function nextStepOf({ drop }: Pick<DropFacts, 'drop'>): NextStep {
  const { state, number, announcement } = drop;
  if (state === 'frozen') return announcement === null ? ANNOUNCE : SELECT;
  if (state === 'closed')
    return {
      step: 'open',
      label: `Open drop ${number + 1}`,
      about: 'The next drop begins with the line as it is then, and with the stock that is left.',
      undo: 'It cannot be undone, and changes nothing for members.',
    };
  return { open: FREEZE, selected: OFFER, offering: CLOSE }[state];
}

const FREEZE: NextStep = {
  step: 'freeze',
  label: 'Freeze the line',
  about:
    'Keeps the order of the first members as it is at that moment. Their list, without ' +
    'addresses, and its hash are public at once.',
  undo: 'It can be undone until the draw is announced.',
};
const ANNOUNCE: NextStep = {
  step: 'announce',
  label: 'Announce the draw',
  about:
    'Fixes how many masks of each size are given, how members are chosen, and the randomness. ' +
    'All of it is public before anybody can know the outcome.',
  undo: 'It cannot be undone.',
};
const SELECT: NextStep = {
  step: 'select',
  label: 'Make the draw',
  about:
    'Applies the announced rule to the frozen list. There is one possible outcome, and it is ' +
    'public at once.',
  undo: 'It cannot be undone.',
};
const OFFER: NextStep = {
  step: 'offer',
  label: 'Start the offers',
  about:
    'Mails the chosen members a pass with a deadline. Masks that come back go to the next in ' +
    'the draw order by themselves.',
  undo: 'The first mails leave at once: it cannot be undone.',
};
const CLOSE: NextStep = {
  step: 'close',
  label: 'Close the drop',
  title: 'Members answer their offers',
  about:
    'Masks that come back go to the next in the draw order by themselves. Close the drop when no ' +
    'more are to be made: open ones end with it, and passes stay valid.',
  undo: 'Closing cannot be undone.',
};

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

export const SCHEDULABLE: Readonly<
  Record<ScheduledStep, { readonly step: Step; readonly label: string; readonly ends: DropState }>
> = {
  'freeze-drop': { step: 'freeze', label: FREEZE.label, ends: 'open' },
  'announce-draw': { step: 'announce', label: ANNOUNCE.label, ends: 'frozen' },
  'select-entrants': { step: 'select', label: SELECT.label, ends: 'frozen' },
  'start-offers': { step: 'offer', label: OFFER.label, ends: 'selected' },
  'close-drop': { step: 'close', label: CLOSE.label, ends: 'offering' },
};

export function stepsAhead({
  state,
  announcement,
}: Pick<DropFacts['drop'], 'state' | 'announcement'>): ScheduledStep[] {
  const steps = Object.keys(SCHEDULABLE) as ScheduledStep[];
  return steps.filter(
    (step) =>
      progressOf(SCHEDULABLE[step].ends, state) !== 'done' &&
      !(step === 'announce-draw' && announcement !== null) &&
      state !== 'closed',
  );
}
