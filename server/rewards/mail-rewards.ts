import type { ChangeInput } from '../../contract/operator/changes.ts';
import { countOf } from '../changes/count-words.ts';
import type { Operation } from '../changes/operation.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { queueMails } from '../line/mails/store.ts';
import { assertCodes, levelOf } from '../line/referrals/tier-rules.ts';
import { findUnmailed } from '../mail/suppression/store.ts';
import { conflict } from '../problem.ts';
import { type CodeLimits, insertWithCodes, readCodeLimits } from './answer-store.ts';
import { findRewards, insertAsked, type WantedRewards } from './reward-store.ts';
import { assertFew, MAX_REWARDS, type RewardChanges, rewardsOf } from './rewards.ts';

export function openAskRewards(changes: RewardChanges): Operation<'ask-rewards'> {
  const { database, brand, mail } = changes;
  async function find(transaction: Transaction, input: ChangeInput<'ask-rewards'>) {
    const { tier, required, isAsked } = levelOf(brand.tiers, input.tier);
    if (!isAsked) throw conflict(`The reward of tier ${tier} needs nothing from its members.`);
    if (!brand.mails.reward.isOn) throw conflict('The brand file switches the mail "reward" off.');
    const nobody = `Nobody would be asked about a reward of tier ${tier}.`;
    const { mailable, ...left } = await findMailable(transaction, nobody, {
      tier,
      required,
      isSettled: true,
      states: input.again ? ['owed', 'asked'] : ['owed'],
      memberIds: input.member_ids,
      limit: MAX_REWARDS + 1,
    });
    assertFew(mailable.length, input.expected);
    return { mailable, ...left };
  }

  return {
    lock: null,

    async plan(input) {
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
        asked.map((memberId) => ({ kind: 'reward' as const, memberId, level: tier })),
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

export function openSendRewardCodes(changes: RewardChanges): Operation<'send-reward-codes'> {
  const { database, brand, mail } = changes;
  async function find(transaction: Transaction, input: ChangeInput<'send-reward-codes'>) {
    const level = levelOf(brand.tiers, input.tier);
    const { tier, required } = level;
    assertCodes(level);
    if (!brand.mails['reward-code'].isOn)
      throw conflict('The brand file switches the mail "reward-code" off.');
    const limits = await readCodeLimits(transaction, tier);
    const most = Math.min(MAX_REWARDS, limits.codes, limits.units ?? MAX_REWARDS);
    if (most === 0) throw conflict(explainNone(tier, limits));
    const nobody = `Nobody would be sent a code of tier ${tier}.`;
    const { mailable, ...unmailed } = await findMailable(transaction, nobody, {
      tier,
      required,
      isSettled: true,
      states: ['owed'],
      memberIds: input.member_ids,
      limit: MAX_REWARDS,
    });
    const mailed = mailable.slice(0, most);
    assertFew(mailed.length, input.expected);
    return { mailed, left: mailable.length - mailed.length, unmailed, limits };
  }

  return {
    lock: null,

    async plan(input) {
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
        sent.map((memberId) => ({ kind: 'reward-code' as const, memberId, level: tier })),
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

type Left = Record<'suppressed' | 'waiting', number>;

/**
 * Members who can be mailed, and how many have a suppressed address or unconfirmed friends. Throws
 * Problem conflict, which begins with `nobody`, when no member can be mailed.
 */
async function findMailable(transaction: Transaction, nobody: string, wanted: WantedRewards) {
  const found = await findRewards(transaction, wanted);
  const reaching = await findRewards(transaction, { ...wanted, isSettled: false });
  const ids = found.map(({ memberId }) => memberId);
  const unmailed = await findUnmailed(transaction, ids);
  const mailable = ids.filter((id) => !unmailed.has(id));
  const left: Left = { suppressed: unmailed.size, waiting: reaching.length - found.length };
  if (mailable.length === 0)
    throw conflict([nobody, ...describeLeft(left, 'member', 'members')].join(' '));
  return { mailable, ...left };
}

const describeMailing = (left: Left): string[] => [
  ...describeLeft(left, 'other', 'others'),
  'A mail cannot be called back.',
];

function describeLeft({ suppressed, waiting }: Left, one: string, several: string): string[] {
  const without = countOf(suppressed, `${one} gets`, `${several} get`);
  const early = countOf(waiting, `${one} waits`, `${several} wait`);
  return [
    ...(suppressed === 0 ? [] : [`${without} no mail, and stay owed.`]),
    ...(waiting === 0 ? [] : [`${early}: too few of their friends have confirmed their address.`]),
  ];
}
