/** Translates members between the names of the code and of the wire. */
import type { Tier } from '../../brand/brand-shape.ts';
import type { Member } from '../../contract/schemas.ts';
import { tierProgress } from './referrals/tier-rules.ts';

export type MemberRecord = {
  readonly id: string;
  readonly email: string;
  readonly referralCode: string;
  readonly referralCount: number;
  readonly position: number;
  readonly heldReferrals?: number;
  /** State of the second look that the member requested. */
  readonly secondLook?: Member['second_look'] | null;
  /** Present only where friends must confirm before they count. */
  readonly confirmation?: { readonly pendingReferrals: number; readonly isConfirmed: boolean };
};

/** The member record of docs/behaviour.md 3. */
export function memberView(tiers: readonly Tier[], record: MemberRecord): Member {
  const { level, nextTier, rewardsUnlocked } = tierProgress(tiers, record.referralCount);
  const { confirmation, heldReferrals = 0, secondLook } = record;
  return {
    id: record.id,
    email: record.email,
    referral_code: record.referralCode,
    position: record.position,
    referral_count: record.referralCount,
    tier_level: level,
    next_tier: nextTier && {
      required_referrals: nextTier.requiredReferrals,
      reward: nextTier.reward,
    },
    rewards_unlocked: [...rewardsUnlocked],
    ...(heldReferrals > 0 && { held_referrals: heldReferrals }),
    ...(secondLook && { second_look: secondLook }),
    ...(confirmation && {
      pending_referrals: confirmation.pendingReferrals,
      is_confirmed: confirmation.isConfirmed,
    }),
  };
}

/**
 * The record of a new member as JSON, up to the position. `newMemberJsonEnd` follows it, the same
 * for all. A repeated join with an Idempotency-Key must be rendered to the same bytes.
 */
export function newMemberJson(member: Pick<MemberRecord, 'id' | 'email' | 'referralCode'>): string {
  const { id, email, referralCode } = member;
  const known = { id, email, referral_code: referralCode } satisfies Partial<Member>;
  return `${JSON.stringify(known).slice(0, -1)},"position":`;
}

export function newMemberJsonEnd(
  tiers: readonly Tier[],
  confirmation?: MemberRecord['confirmation'],
): string {
  const { id, email, referral_code, position, ...rest } = memberView(tiers, {
    id: '',
    email: '',
    referralCode: '',
    referralCount: 0,
    position: 0,
    ...(confirmation && { confirmation }),
  });
  return `,${JSON.stringify(rest).slice(1)}`;
}
