import type { NextTier } from '../../../../contract/schemas.ts';

/** SPEC 4: how much of the way to the next tier is done, 0 to 100. */
export function tierProgressPercent(referralCount: number, nextTier: NextTier): number {
  return Math.min(100, (referralCount / nextTier.required_referrals) * 100);
}
