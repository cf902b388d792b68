import { type Static, Type } from 'typebox';
import { After, IntegerOrNull, Next, Nullable, NullableTime as Time } from '../../fields.ts';
import { REWARD_KINDS, REWARD_STATES, type RewardKind } from '../../rewards.ts';

export const RewardTier = Type.Object({
  tier: Type.Integer({ description: 'Its level, from 1' }),
  reward: Type.String(),
  required_referrals: Type.Integer(),
  kind: Type.Enum(Object.keys(REWARD_KINDS) as RewardKind[], {
    description: 'plain: given as it is · address: members are asked where to send it · code',
  }),
  owed: Type.Integer({ description: 'Members who reached the tier, and were not asked yet' }),
  asked: Type.Integer({ description: 'Mailed, and have not answered' }),
  answered: Type.Integer({ description: 'Said where to send it' }),
  sent: Type.Integer(),
  units: Type.Integer({ description: 'All of these: what the line costs by now' }),
  within_one_friend: Type.Integer({ description: 'Members whom one more friend takes there' }),
  units_if_reached: Type.Integer({ description: 'Units if all of them get there' }),
  budget: Nullable(Type.Object({ units: Type.Integer(), cents_per_unit: Type.Integer() })),
  cost_cents: IntegerOrNull('Of the units; null without a budget'),
  cost_cents_if_reached: Nullable(Type.Integer()),
  units_over_budget: IntegerOrNull('If all of them get there; at least 0'),
});
export type RewardTier = Static<typeof RewardTier>;

export const Rewards = Type.Object({
  counted_at: Type.String({ description: 'ISO 8601 in UTC' }),
  tiers: Type.Array(RewardTier, { description: 'The lowest first' }),
});
export type Rewards = Static<typeof Rewards>;

export const RewardListRequest = Type.Object({
  state: Type.Optional(
    Type.Enum(REWARD_STATES, { description: 'Rewards in this state; by default owed' }),
  ),
  after: After({ maxLength: 60 }),
});

export const ListedReward = Type.Object({
  id: Type.String({ description: 'Of the member' }),
  email: Type.String(),
  referral_code: Type.String(),
  referral_count: Type.Integer(),
  state: Type.Enum(REWARD_STATES),
  asked_at: Time,
  sent_at: Time,
});
export type ListedReward = Static<typeof ListedReward>;

export const RewardPage = Type.Object({
  rewards: Type.Array(ListedReward),
  next: Next,
});

export const RewardExportRequest = Type.Object({
  state: Type.Optional(Type.Enum(REWARD_STATES, { description: 'All by default' })),
});
