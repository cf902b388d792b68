import type { ChangeInput } from '../../contract/operator/changes.ts';
import { countOf } from '../changes/count-words.ts';
import type { Operation } from '../changes/operation.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { levelOf } from '../line/referrals/tier-rules.ts';
import { conflict } from '../problem.ts';
import { type FoundReward, findRewards, insertOrMarkSent, unmarkSent } from './reward-store.ts';
import { assertFew, MAX_REWARDS, type RewardChanges, rewardsOf } from './rewards.ts';

type Input = ChangeInput<'mark-rewards-sent'>;

export function openMarkRewardsSent(changes: RewardChanges): Operation<'mark-rewards-sent'> {
  const { database, brand } = changes;
  async function find(transaction: Transaction, input: Input): Promise<FoundReward[]> {
    const { tier, required, sentFrom } = levelOf(brand.tiers, input.tier);
    const found = await findRewards(transaction, {
      tier,
      required,
      isSettled: false,
      states: input.states ?? sentFrom,
      memberIds: input.member_ids,
      limit: MAX_REWARDS + 1,
    });
    if (found.length === 0) throw conflict(`No reward of tier ${tier} would be marked by this.`);
    assertFew(found.length, input.expected);
    return found;
  }

  return {
    lock: null,

    async plan(input) {
      const found = await inTransaction(database, (transaction) => find(transaction, input));
      const unanswered = found.filter(({ state }) => state !== 'answered').length;
      const { reward, isAsked } = levelOf(brand.tiers, input.tier);
      return {
        sentences: [
          `${rewardsOf(found.length, input.tier)} ${found.length === 1 ? 'is' : 'are'} marked ` +
            `as sent: ${reward}.`,
          ...(!isAsked || unanswered === 0
            ? []
            : [`${countOf(unanswered, 'member has', 'members have')} not said where to send it.`]),
          'Where they were sent is deleted a day later. Members are told nothing.',
        ],
        counts: { rewards: found.length },
      };
    },

    async apply(transaction, input) {
      const { tier } = input;
      const sent = await insertOrMarkSent(transaction, tier, await find(transaction, input));
      const rewards = rewardsOf(sent.length, tier);
      return {
        summary: `${rewards} ${sent.length === 1 ? 'was' : 'were'} marked as sent.`,
        subject: { kind: 'tier', id: String(tier) },
        details: { tier, rewards: sent.length },
        undo: { tier, sent },
      };
    },

    async undo(transaction, { tier, sent }: { tier: number; sent: readonly FoundReward[] }) {
      const restored = await unmarkSent(transaction, tier, sent);
      const are = restored === 1 ? 'is' : 'are';
      return { summary: `${rewardsOf(restored, tier)} ${are} not marked as sent any more.` };
    },
  };
}
