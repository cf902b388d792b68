import { countOf } from '../changes/count-words.ts';
import type { Operation } from '../changes/operation.ts';
import { levelOf } from '../line/referrals/tier-rules.ts';
import { conflict } from '../problem.ts';
import { type FoundReward, findRewards, insertOrMarkSent, unmarkSent } from './reward-store.ts';
import { assertFew, MAX_REWARDS, type RewardChanges, rewardsOf } from './rewards.ts';

export function openMarkRewardsSent({ brand }: RewardChanges): Operation<'mark-rewards-sent'> {
  return {
    lock: null,
    async apply(transaction, input, _, isPreview) {
      const { tier, required, reward, isAsked, sentFrom } = levelOf(brand.tiers, input.tier);
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
      const sent = isPreview ? found : await insertOrMarkSent(transaction, tier, found);
      const unanswered = found.filter(({ state }) => state !== 'answered').length;
      const rewards = rewardsOf(sent.length, tier);
      return {
        sentences: [
          `${rewards} ${sent.length === 1 ? 'is' : 'are'} marked as sent: ${reward}.`,
          ...(!isAsked || unanswered === 0
            ? []
            : [`${countOf(unanswered, 'member has', 'members have')} not said where to send it.`]),
          'Where they were sent is deleted a day later. Members are told nothing.',
        ],
        counts: { rewards: sent.length },
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
