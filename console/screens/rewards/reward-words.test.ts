import { expect, test } from 'vitest';
import type { RewardTier } from '../../../contract/operator/rewards/rewards.ts';
import { describeBudget, describeExposure } from './reward-words.ts';

const tier: RewardTier = {
  tier: 3,
  reward: 'Shirt',
  required_referrals: 10,
  kind: 'address',
  owed: 180,
  asked: 0,
  answered: 0,
  sent: 0,
  units: 180,
  within_one_friend: 32,
  units_if_reached: 212,
  budget: null,
  cost_cents: null,
  cost_cents_if_reached: null,
  units_over_budget: null,
};
const budget = { units: 200, cents_per_unit: 1250 };

test('exposure names units, cost, and how far it is over the budget', () => {
  expect(describeExposure(tier)).toBe(
    'If everyone within one friend of tier 3 gets there: 212 rewards.',
  );
  expect(
    describeExposure({ ...tier, budget, cost_cents_if_reached: 265_000, units_over_budget: 12 }),
  ).toBe(
    'If everyone within one friend of tier 3 gets there: 212 rewards, at a cost of 2,650.00, ' +
      '12 more than the budget.',
  );
  expect(describeBudget(tier)).toBe('180');
  expect(describeBudget({ ...tier, budget })).toBe('180 of 200');
});
