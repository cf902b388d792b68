import type { Tier } from '../../brand/brand-shape.ts';
import type { Member } from '../../contract/schemas.ts';
import { tierProgress } from './referrals/tier-rules.ts';
import type { ReadMember } from './store.ts';

export type NewMember = Pick<ReadMember, 'id' | 'email' | 'referral_code'>;
export function memberView(tiers: readonly Tier[], row: ReadMember): Member {
  return {
    id: row.id,
    email: row.email,
    referral_code: row.referral_code,
    position: row.position,
    referral_count: row.referral_count,
    ...tierView(tiers, row),
    joined_referrals: row.joined_referrals,
    confirmed_referrals: row.confirmed_referrals,
    settled_referrals: row.settled_referrals,
    is_confirmed: row.is_confirmed,
  };
}

type TierView = Pick<Member, 'tier_level' | 'next_tier' | 'rewards_unlocked' | 'rewards_waiting'>;

export function tierView(
  tiers: readonly Tier[],
  row: Pick<ReadMember, 'referral_count' | 'confirmed_referrals'>,
): TierView {
  const { level, nextTier, rewardsUnlocked } = tierProgress(tiers, row.referral_count);
  const waiting = level - tierProgress(tiers, row.confirmed_referrals).level;
  return {
    tier_level: level,
    next_tier: nextTier && {
      required_referrals: nextTier.requiredReferrals,
      reward: nextTier.reward,
    },
    rewards_unlocked: [...rewardsUnlocked],
    ...(waiting > 0 && { rewards_waiting: waiting }),
  };
}

/** JSON up to the position. A repeated join gets the same bytes, so no setting counts. */
export function newMemberJson({ id, email, referral_code }: NewMember): string {
  const identity = { id, email, referral_code } satisfies Partial<Member>;
  return `${JSON.stringify(identity).slice(0, -1)},"position":`;
}

export function newMemberJsonEnd(tiers: readonly Tier[]): string {
  const nobody = {
    id: '',
    email: '',
    referral_code: '',
    referral_count: 0,
    position: 0,
    joined_referrals: 0,
    confirmed_referrals: 0,
    settled_referrals: 0,
    is_confirmed: false,
  };
  const { id, email, referral_code, position, ...rest } = memberView(tiers, nobody);
  return `,${JSON.stringify(rest).slice(1)}`;
}
