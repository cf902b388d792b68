import type { OfferFilter } from '../../contract/drop/states.ts';
import type { RewardState } from '../../contract/rewards.ts';
import { Pill, type Tone } from '../ui/facts.tsx';
import type { Column } from '../ui/table.tsx';

export type States<State extends string> = Readonly<Record<State, readonly [string, Tone]>>;

type StatePillProps<State extends string> = { states: States<State>; state: State };

/** A state that a newer server knows alone is shown as it is. */
export function StatePill<State extends string>({ states, state }: StatePillProps<State>) {
  const [words, tone] = states[state] ?? [state, 'plain'];
  return <Pill tone={tone}>{words}</Pill>;
}

export function stateColumn<State extends string>(
  states: States<State>,
): Column<{ readonly state: State | null }> {
  const cell = ({ state }: { state: State | null }) =>
    state && <StatePill states={states} state={state} />;
  return { header: 'State', isNarrow: true, cell };
}

export const OFFERS: States<OfferFilter> = {
  open: ['Offered', 'edge'],
  accepted: ['Accepted', 'charged'],
  paid: ['Paid', 'charged'],
  unaddressed: ['Paid, no address', 'edge'],
  handed_over: ['Handed over', 'plain'],
  sent: ['Sent', 'plain'],
  declined: ['Declined', 'plain'],
  expired: ['Expired', 'plain'],
  cancelled: ['Cancelled', 'ember'],
};

export const REWARDS: States<RewardState> = {
  owed: ['Owed', 'edge'],
  asked: ['Asked', 'edge'],
  answered: ['Answered', 'charged'],
  sent: ['Sent', 'plain'],
};

export const labelsOf = (states: States<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(states).map(([state, [label]]) => [state, label]));
