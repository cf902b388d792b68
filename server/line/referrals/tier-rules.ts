import type { Tier } from '../../../brand/brand-shape.ts';
import { REWARD_KINDS } from '../../../contract/rewards.ts';
import { conflict, invalidField } from '../../problem.ts';

/** The brand file lists the lowest tier first. */
export function tierProgress(tiers: readonly Tier[], referralCount: number) {
  const reached = tiers.filter((tier) => tier.requiredReferrals <= referralCount);
  return {
    level: reached.length,
    nextTier: tiers[reached.length] ?? null,
    rewardsUnlocked: reached.map((tier) => tier.reward),
  };
}

/** A tier by its number, with what its kind of reward needs. Throws Problem. */
export function levelOf(tiers: readonly Tier[], tier: number) {
  const found = tiers[tier - 1];
  if (found === undefined)
    throw invalidField(`There is no tier ${tier}: the last is ${tiers.length}.`);
  return { ...found, ...REWARD_KINDS[found.kind], tier, required: found.requiredReferrals };
}

export type Level = ReturnType<typeof levelOf>;

export function assertCodes({ tier, hasCodes }: Pick<Level, 'tier' | 'hasCodes'>): void {
  if (!hasCodes)
    throw conflict(`The reward of tier ${tier} is plain in brand.ts: it has no codes.`);
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
