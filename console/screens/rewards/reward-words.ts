import type { RewardTier } from '../../../contract/operator/rewards/rewards.ts';
import { formatAmount, formatCount } from '../../ui/formats.ts';

const money = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

export function formatCents(cents: number): string {
  return money.format(cents / 100);
}

export function describeBudget({ units, budget }: Pick<RewardTier, 'units' | 'budget'>): string {
  if (budget === null) return formatCount(units);
  return `${formatCount(units)} of ${formatCount(budget.units)}`;
}

export function describeExposure(tier: RewardTier): string {
  const { units_if_reached: units, cost_cents_if_reached: cost, units_over_budget: over } = tier;
  const costs = cost === null ? '' : `, at a cost of ${formatCents(cost)}`;
  const more = over ? `, ${formatCount(over)} more than the budget` : '';
  return (
    `If everyone within one friend of tier ${tier.tier} gets there: ` +
    `${formatAmount(units, 'reward')}${costs}${more}.`
  );
}
