import type { ChangeInput } from '../../contract/operator/changes.ts';
import { countOf } from '../changes/count-words.ts';
import type { Operation } from '../changes/operation.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { queueMails } from '../notifications/delivery/queue.ts';
import { conflict } from '../problem.ts';
import { insertAsked } from './reward-store.ts';
import {
  assertFew,
  describeMailing,
  findMailable,
  levelOf,
  MAX_REWARDS,
  type RewardChanges,
  refuseNobody,
  rewardsOf,
} from './rewards.ts';

type Input = ChangeInput<'ask-rewards'>;

export function openAskRewards(changes: RewardChanges): Operation<'ask-rewards'> {
  const { database, brand, config, mail } = changes;
  async function find(transaction: Transaction, input: Input) {
    const { tier, required, isAsked } = levelOf(brand.tiers, input.tier);
    if (!isAsked) throw conflict(`The reward of tier ${tier} needs nothing from its members.`);
    if (!brand.mails.reward.isOn) throw conflict('The brand file switches the mail "reward" off.');
    const { mailable, ...left } = await findMailable(transaction, {
      tier,
      required,
      isSettled: config.referralCredit === 'settle',
      states: input.again ? ['owed', 'asked'] : ['owed'],
      memberIds: input.member_ids,
      limit: MAX_REWARDS + 1,
    });
    if (mailable.length === 0)
      throw refuseNobody(`Nobody would be asked about a reward of tier ${tier}`, left);
    assertFew(mailable.length, input.expected);
    return { mailable, ...left };
  }

  return {
    lock: null,

    async preview(input) {
      const { mailable, ...left } = await inTransaction(database, (transaction) =>
        find(transaction, input),
      );
      const { reward, tier } = levelOf(brand.tiers, input.tier);
      const members = countOf(mailable.length, 'member is', 'members are');
      return {
        sentences: [
          `${members} mailed a link, and asked where to send the reward of tier ${tier}: ` +
            `${reward}.`,
          ...describeMailing(left),
        ],
        counts: {
          rewards: mailable.length,
          without_mail: left.suppressed,
          waiting: left.waiting,
        },
      };
    },

    async apply(transaction, input) {
      const { tier } = input;
      const { mailable, suppressed } = await find(transaction, input);
      const asked = await insertAsked(transaction, tier, mailable);
      await queueMails(
        transaction,
        asked.map((memberId) => ({ kind: 'reward', memberId, level: tier })),
      );
      return {
        summary: `Members were asked where to send ${rewardsOf(asked.length, tier)}.`,
        subject: { kind: 'tier', id: String(tier) },
        details: { tier, rewards: asked.length, without_mail: suppressed },
        afterCommit: async () => mail.wake(),
      };
    },
  };
}
