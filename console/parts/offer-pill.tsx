/** States of offers and rewards, the same in every list and sheet. */
import type { OfferState } from '../../contract/drop/states.ts';
import type { RewardState } from '../../contract/operator/rewards/reward-changes.ts';
import { Pill } from '../ui/data/pill.tsx';

export const OFFER_WORDS: Readonly<Record<OfferState, string>> = {
  open: 'Open',
  accepted: 'Accepted',
  redeemed: 'Redeemed',
  declined: 'Declined',
  expired: 'Expired',
  cancelled: 'Cancelled',
};

export const REWARD_WORDS: Readonly<Record<RewardState, string>> = {
  owed: 'Owed',
  asked: 'Asked',
  answered: 'Answered',
  sent: 'Sent',
};

/** In the order of the words. */
export const REWARD_STATES = Object.keys(REWARD_WORDS) as readonly RewardState[];

const OFFER_TONES = {
  open: 'edge',
  accepted: 'charged',
  redeemed: 'charged',
  declined: 'plain',
  expired: 'plain',
  cancelled: 'ember',
} as const;

const REWARD_TONES = {
  owed: 'edge',
  asked: 'edge',
  answered: 'charged',
  sent: 'plain',
} as const;

export function OfferPill({ state }: { state: OfferState }) {
  return <Pill tone={OFFER_TONES[state]}>{OFFER_WORDS[state]}</Pill>;
}

export function RewardPill({ state }: { state: RewardState }) {
  return <Pill tone={REWARD_TONES[state]}>{REWARD_WORDS[state]}</Pill>;
}
