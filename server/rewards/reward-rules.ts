import type { Tier } from '../../brand/brand-shape.ts';

export type Tally = { readonly referralCount: number; readonly members: number };

/** Rewards that are not owed. `reaching` counts rewards of members who still reach the tier. */
export type StateCount = {
  readonly tier: number;
  readonly state: 'asked' | 'answered' | 'sent';
  readonly rewards: number;
  readonly reaching: number;
};

export type Budget = Readonly<Record<'tier' | 'units' | 'centsPerUnit', number>>;

export type Counted = {
  readonly total: number;
  readonly tallies: readonly Tally[];
  readonly states: readonly StateCount[];
  readonly budgets: readonly Budget[];
};

export function exposureOf(tiers: readonly Tier[], counted: Counted) {
  return tiers.map(({ requiredReferrals, reward, kind }, index) => {
    const tier = index + 1;
    const states = counted.states.filter((count) => count.tier === tier);
    const inState = (state: StateCount['state']) =>
      states.find((count) => count.state === state)?.rewards ?? 0;
    const onTheirWay = states.reduce((sum, { rewards }) => sum + rewards, 0);
    const reaching = states.reduce((sum, count) => sum + count.reaching, 0);
    const owed = Math.max(0, countReached(counted, requiredReferrals) - reaching);
    const units = owed + onTheirWay;
    const withinOneFriend = countShortOfOne(counted, requiredReferrals);
    const unitsIfReached = units + withinOneFriend;
    const budget = counted.budgets.find((tierBudget) => tierBudget.tier === tier) ?? null;
    return {
      tier,
      reward,
      required_referrals: requiredReferrals,
      kind,
      owed,
      asked: inState('asked'),
      answered: inState('answered'),
      sent: inState('sent'),
      units,
      within_one_friend: withinOneFriend,
      units_if_reached: unitsIfReached,
      budget: budget && { units: budget.units, cents_per_unit: budget.centsPerUnit },
      cost_cents: budget && budget.centsPerUnit * units,
      cost_cents_if_reached: budget && budget.centsPerUnit * unitsIfReached,
      units_over_budget: budget && Math.max(0, unitsIfReached - budget.units),
    };
  });
}

function countReached({ tallies }: Counted, required: number): number {
  return sumOf(tallies.filter(({ referralCount }) => referralCount >= required));
}

function countShortOfOne({ total, tallies }: Counted, required: number): number {
  if (required === 1) return Math.max(0, total - sumOf(tallies));
  return sumOf(tallies.filter(({ referralCount }) => referralCount === required - 1));
}

function sumOf(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, { members }) => sum + members, 0);
}
