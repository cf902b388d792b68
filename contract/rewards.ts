/** A reward is owed until its member is asked about it. */
export const REWARD_STATES = ['owed', 'asked', 'answered', 'sent'] as const;
export type RewardState = (typeof REWARD_STATES)[number];

/** An operator gives a `plain` one; an `address` is asked of the member; a `code` is the reward. */
export const REWARD_KINDS = {
  plain: { isAsked: false, hasCodes: false, sentFrom: ['answered', 'owed'] },
  address: { isAsked: true, hasCodes: true, sentFrom: ['answered'] },
  code: { isAsked: false, hasCodes: true, sentFrom: ['answered', 'owed'] },
} as const satisfies Readonly<
  Record<string, { isAsked: boolean; hasCodes: boolean; sentFrom: readonly RewardState[] }>
>;
export type RewardKind = keyof typeof REWARD_KINDS;
