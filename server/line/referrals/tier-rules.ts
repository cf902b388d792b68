import type { Tier } from '../../../brand/brand-shape.ts';

/** The brand file lists the lowest tier first. */
export function tierProgress(tiers: readonly Tier[], referralCount: number) {
  const reached = tiers.filter((tier) => tier.requiredReferrals <= referralCount);
  return {
    level: reached.length,
    nextTier: tiers[reached.length] ?? null,
    rewardsUnlocked: reached.map((tier) => tier.reward),
  };
}

export function countTierChanges(
  tiers: readonly Tier[],
  counts: readonly { readonly before: number; readonly after: number }[],
) {
  const lost = new Map<number, number>();
  const reached = new Map<number, number>();
  for (const { before, after } of counts) {
    const had = tierProgress(tiers, before).level;
    const has = tierProgress(tiers, after).level;
    if (has < had) lost.set(had, (lost.get(had) ?? 0) + 1);
    if (has > had) reached.set(has, (reached.get(has) ?? 0) + 1);
  }
  return { lost, reached };
}
