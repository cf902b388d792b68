import type { NextTier } from '../../../../contract/schemas.ts';

/** Progress toward the next tier, 0 to 100: docs/behaviour.md 4. */
export function tierProgressPercent(referralCount: number, nextTier: NextTier): number {
  return Math.min(100, (referralCount / nextTier.required_referrals) * 100);
}
