import { brand } from '../../brand/brand.ts';
import type { Member } from '../../contract/schemas.ts';

/** What differs in each state of a member's page from a member with one friend, at #128. */
export const memberStates: Readonly<Record<string, Partial<Member>>> = {
  'first in line, with all tiers': {
    position: 1,
    referral_count: 104,
    tier_level: brand.tiers.length,
    next_tier: null,
    rewards_unlocked: brand.tiers.map(({ reward }) => reward),
  },
  'deep in the line': { position: 12_345_678, tier_level: 3 },
  'within the hundred': {
    position: 64,
    referral_count: 4,
    tier_level: 1,
    rewards_unlocked: ['A shirt'],
  },
  'with friends who have not confirmed': {
    referral_count: 14,
    joined_referrals: 14,
    confirmed_referrals: 11,
    settled_referrals: 11,
    rewards_waiting: 1,
    tier_level: 2,
  },
  'to be confirmed': { is_confirmed: false, confirmed_referrals: 0, settled_referrals: 0 },
};
