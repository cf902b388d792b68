import type { NextTier } from '../../../../contract/schemas.ts';

/** SPEC 4: progress toward the next tier, 0 to 100. */
export function tierProgressPercent(referralCount: number, nextTier: NextTier): number {
  return Math.min(100, (referralCount / nextTier.required_referrals) * 100);
}
