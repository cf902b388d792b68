/**
 * Level, next tier and unlocked rewards follow from the number of referrals and the tiers of the
 * brand file.
 */
import type { Tier } from '../../../brand/brand-shape.ts';

export type TierProgress = {
  /** How many tiers are reached; 0 is none. */
  readonly level: number;
  /** Null after the last tier. */
  readonly nextTier: Tier | null;
  /** The rewards of all tiers reached, lowest first. */
  readonly rewardsUnlocked: readonly string[];
};

/** The brand file lists the lowest tier first. */
export function tierProgress(tiers: readonly Tier[], referralCount: number): TierProgress {
  const reached = tiers.filter((tier) => tier.requiredReferrals <= referralCount);
  return {
    level: reached.length,
    nextTier: tiers[reached.length] ?? null,
    rewardsUnlocked: reached.map((tier) => tier.reward),
  };
}
