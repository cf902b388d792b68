import type { Tier } from '../../brand/brand-shape.ts';
import type { Member } from '../../contract/schemas.ts';
import { tierProgress } from './referrals/tier-rules.ts';
import type { ReadMember } from './store.ts';

export type NewMember = Pick<ReadMember, 'id' | 'email' | 'referral_code'>;
type ViewedMember = NewMember &
  Pick<ReadMember, 'referral_count' | 'position'> &
  Partial<
    Pick<
      ReadMember,
      | 'pending_referrals'
      | 'confirmed_referrals'
      | 'is_confirmed'
      | 'held_referrals'
      | 'second_look'
    >
  >;

export function memberView(tiers: readonly Tier[], row: ViewedMember): Member {
  const { level, nextTier, rewardsUnlocked } = tierProgress(tiers, row.referral_count);
  const { pending_referrals = null, confirmed_referrals = null, is_confirmed = false } = row;
  const { held_referrals = 0, second_look } = row;
  const waiting = level - tierProgress(tiers, confirmed_referrals ?? row.referral_count).level;
  return {
    id: row.id,
    email: row.email,
    referral_code: row.referral_code,
    position: row.position,
    referral_count: row.referral_count,
    tier_level: level,
    next_tier: nextTier && {
      required_referrals: nextTier.requiredReferrals,
      reward: nextTier.reward,
    },
    rewards_unlocked: [...rewardsUnlocked],
    ...(held_referrals > 0 && { held_referrals }),
    ...(second_look && { second_look }),
    ...(pending_referrals !== null && { pending_referrals, is_confirmed }),
    ...(confirmed_referrals !== null && { confirmed_referrals, is_confirmed }),
    ...(waiting > 0 && { rewards_waiting: waiting }),
  };
}

/** JSON up to the position. A repeated join gets the same bytes, so no setting counts. */
export function newMemberJson({ id, email, referral_code }: NewMember): string {
  const known = { id, email, referral_code } satisfies Partial<Member>;
  return `${JSON.stringify(known).slice(0, -1)},"position":`;
}

export function newMemberJsonEnd(tiers: readonly Tier[]): string {
  const nobody = { id: '', email: '', referral_code: '', referral_count: 0, position: 0 };
  const { id, email, referral_code, position, ...rest } = memberView(tiers, nobody);
  return `,${JSON.stringify(rest).slice(1)}`;
}
