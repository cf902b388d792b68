import type { ChangeInput } from '../../contract/operator/changes.ts';
import { countOf } from '../changes/count-words.ts';
import type { Operation } from '../changes/operation.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { queueMails } from '../notifications/delivery/queue.ts';
import { conflict } from '../problem.ts';
import { type CodeLimits, insertWithCodes, readCodeLimits } from './answer-store.ts';
import {
  assertCodes,
  assertFew,
  describeMailing,
  findMailable,
  levelOf,
  MAX_REWARDS,
  type RewardChanges,
  refuseNobody,
  rewardsOf,
} from './rewards.ts';

type Input = ChangeInput<'send-reward-codes'>;

export function openSendRewardCodes(changes: RewardChanges): Operation<'send-reward-codes'> {
  const { database, brand, config, mail } = changes;
  async function find(transaction: Transaction, input: Input) {
    const level = levelOf(brand.tiers, input.tier);
    const { tier, required } = level;
    assertCodes(level);
    if (!brand.mails['reward-code'].isOn)
      throw conflict('The brand file switches the mail "reward-code" off.');
    const limits = await readCodeLimits(transaction, tier);
    const most = Math.min(MAX_REWARDS, limits.codes, limits.units ?? MAX_REWARDS);
    if (most === 0) throw conflict(explainNone(tier, limits));
    const { mailable, ...unmailed } = await findMailable(transaction, {
      tier,
      required,
      isSettled: config.referralCredit === 'settle',
      states: ['owed'],
      memberIds: input.member_ids,
      limit: MAX_REWARDS,
    });
    if (mailable.length === 0)
      throw refuseNobody(`Nobody would be sent a code of tier ${tier}`, unmailed);
    const mailed = mailable.slice(0, most);
    assertFew(mailed.length, input.expected);
    return { mailed, left: mailable.length - mailed.length, unmailed, limits };
  }

  return {
    lock: null,

    async preview(input) {
      const { mailed, left, unmailed, limits } = await inTransaction(database, (transaction) =>
        find(transaction, input),
      );
      const { reward, tier } = levelOf(brand.tiers, input.tier);
      return {
        sentences: [
          `${countOf(mailed.length, 'member is', 'members are')} mailed a code, the reward of ` +
            `tier ${tier}: ${reward}.`,
          ...(left === 0
            ? []
            : [
                `${countOf(left, 'member stays', 'members stay')} owed: there are ` +
                  `${describeLimits(limits)}.`,
              ]),
          ...describeMailing(unmailed),
        ],
        counts: {
          rewards: mailed.length,
          left,
          without_mail: unmailed.suppressed,
          waiting: unmailed.waiting,
        },
      };
    },

    async apply(transaction, input) {
      const { tier } = input;
      const { mailed, unmailed } = await find(transaction, input);
      const sent = await insertWithCodes(transaction, tier, mailed);
      if (sent.length === 0) throw conflict('Another operator has just sent these codes.');
      await queueMails(
        transaction,
        sent.map((memberId) => ({ kind: 'reward-code', memberId, level: tier })),
      );
      return {
        summary: `Codes were mailed for ${rewardsOf(sent.length, tier)}.`,
        subject: { kind: 'tier', id: String(tier) },
        details: { tier, rewards: sent.length, without_mail: unmailed.suppressed },
        afterCommit: async () => mail.wake(),
      };
    },
  };
}

function explainNone(tier: number, { codes, units }: CodeLimits): string {
  return codes === 0
    ? `No code of tier ${tier} is left: import some.`
    : `The budget of tier ${tier} leaves ${units} units.`;
}

function describeLimits({ codes, units }: CodeLimits): string {
  const left = `${countOf(codes, 'code')} left`;
  return units === null ? left : `${left}, and ${countOf(units, 'unit')} of the budget`;
}
