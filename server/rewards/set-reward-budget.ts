import { countOf } from '../changes/count-words.ts';
import type { Operation } from '../changes/operation.ts';
import { levelOf } from '../line/referrals/tier-rules.ts';
import type { Budget } from './reward-rules.ts';
import { readBudgets, writeBudget } from './reward-store.ts';
import type { RewardChanges } from './rewards.ts';

export function openSetRewardBudget({ brand }: RewardChanges): Operation<'set-reward-budget'> {
  return {
    lock: null,
    async apply(transaction, { tier, units, cents_per_unit: centsPerUnit }) {
      levelOf(brand.tiers, tier);
      const before =
        (await readBudgets(transaction)).find((budget) => budget.tier === tier) ?? null;
      await writeBudget(transaction, tier, { units, centsPerUnit });
      const cost = `${countOf(units, 'unit')} at ${moneyOf(centsPerUnit)} each`;
      return {
        sentences: [`The budget of tier ${tier} is ${cost}, ${moneyOf(units * centsPerUnit)}.`],
        counts: { units, cents: units * centsPerUnit },
        summary: `The budget of tier ${tier} was set to ${cost}.`,
        subject: { kind: 'tier', id: String(tier) },
        details: { tier, units, cents_per_unit: centsPerUnit },
        undo: { tier, before },
      };
    },
    async undo(transaction, { tier, before }: { tier: number; before: Budget | null }) {
      await writeBudget(transaction, tier, before);
      return { summary: `The budget of tier ${tier} is as before.` };
    },
  };
}

function moneyOf(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
}
