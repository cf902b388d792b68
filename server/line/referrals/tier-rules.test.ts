import { expect, test } from 'vitest';
import { tierProgress } from './tier-rules.ts';

const tiers = [
  { requiredReferrals: 3, reward: 'sticker', kind: 'plain' as const },
  { requiredReferrals: 10, reward: 'band', kind: 'plain' as const },
  { requiredReferrals: 25, reward: 'shirt', kind: 'plain' as const },
];

test.each([
  [0, 0, 'sticker', []],
  [2, 0, 'sticker', []],
  [3, 1, 'band', ['sticker']],
  [9, 1, 'band', ['sticker']],
  [10, 2, 'shirt', ['sticker', 'band']],
  [25, 3, undefined, ['sticker', 'band', 'shirt']],
  [1000, 3, undefined, ['sticker', 'band', 'shirt']],
])('%i referrals are level %i', (referrals, level, nextReward, rewards) => {
  const progress = tierProgress(tiers, referrals);
  expect(progress.level).toBe(level);
  expect(progress.nextTier?.reward).toBe(nextReward);
  expect(progress.rewardsUnlocked).toEqual(rewards);
});

test('without tiers there is nothing to reach', () => {
  expect(tierProgress([], 5)).toEqual({ level: 0, nextTier: null, rewardsUnlocked: [] });
});
