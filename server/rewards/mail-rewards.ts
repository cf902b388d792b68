import { countOf } from '../changes/count-words.ts';
import type { Applied, Operation } from '../changes/operation.ts';
import type { Transaction } from '../db/transaction.ts';
import { queueMails } from '../line/mails/store.ts';
import { assertCodes, levelOf } from '../line/referrals/tier-rules.ts';
import { findUnmailed } from '../mail/suppression/store.ts';
import { conflict } from '../problem.ts';
import { type CodeLimits, insertWithCodes, readCodeLimits } from './answer-store.ts';
import { findRewards, insertAsked, type WantedRewards } from './reward-store.ts';
import { assertFew, MAX_REWARDS, type RewardChanges, rewardsOf } from './rewards.ts';

export function openAskRewards({ brand, mail }: RewardChanges): Operation<'ask-rewards'> {
  return {
    lock: null,
    async apply(
      transaction,
      { tier: wanted, again, member_ids: memberIds, expected },
      _,
      isPreview,
    ) {
      const { tier, required, reward, isAsked } = levelOf(brand.tiers, wanted);
      if (!isAsked) throw conflict(`The reward of tier ${tier} needs nothing from its members.`);
      if (!brand.mails.reward.isOn)
        throw conflict('The brand file switches the mail "reward" off.');
      const nobody = `Nobody would be asked about a reward of tier ${tier}.`;
      const { mailable, ...left } = await findMailable(transaction, nobody, {
        tier,
        required,
        isSettled: true,
        states: again ? ['owed', 'asked'] : ['owed'],
        memberIds,
        limit: MAX_REWARDS + 1,
      });
      assertFew(mailable.length, expected);
      const asked = isPreview ? mailable : await insertAsked(transaction, tier, mailable);
      const members = countOf(mailable.length, 'member is', 'members are');
      return await mailRewards(transaction, 'reward', {
        sentences: [
          `${members} mailed a link, and asked where to send the reward of tier ${tier}: ` +
            `${reward}.`,
          ...describeMailing(left),
        ],
        counts: { without_mail: left.suppressed, waiting: left.waiting },
        summary: `Members were asked where to send ${rewardsOf(asked.length, tier)}.`,
        memberIds: asked,
        tier,
        mail,
      });
    },
  };
}

export function openSendRewardCodes({
  brand,
  mail,
}: RewardChanges): Operation<'send-reward-codes'> {
  return {
    lock: null,
    async apply(transaction, { tier: wanted, member_ids: memberIds, expected }, _, isPreview) {
      const level = levelOf(brand.tiers, wanted);
      const { tier, required, reward } = level;
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
        memberIds,
        limit: MAX_REWARDS,
      });
      const mailed = mailable.slice(0, most);
      assertFew(mailed.length, expected);
      const left = mailable.length - mailed.length;
      const sent = isPreview ? mailed : await insertWithCodes(transaction, tier, mailed);
      if (sent.length === 0) throw conflict('Another operator has just sent these codes.');
      const stay = countOf(left, 'member stays', 'members stay');
      return await mailRewards(transaction, 'reward-code', {
        sentences: [
          `${countOf(mailed.length, 'member is', 'members are')} mailed a code, the reward of ` +
            `tier ${tier}: ${reward}.`,
          ...(left === 0 ? [] : [`${stay} owed: there are ${describeLimits(limits)}.`]),
          ...describeMailing(unmailed),
        ],
        counts: { left, without_mail: unmailed.suppressed, waiting: unmailed.waiting },
        summary: `Codes were mailed for ${rewardsOf(sent.length, tier)}.`,
        memberIds: sent,
        tier,
        mail,
      });
    },
  };
}

type Mailing = Pick<Applied, 'sentences' | 'summary'> &
  Pick<RewardChanges, 'mail'> & {
    readonly counts: Readonly<Record<string, number>> & { readonly without_mail: number };
    readonly memberIds: readonly string[];
    readonly tier: number;
  };

async function mailRewards(
  transaction: Transaction,
  kind: 'reward' | 'reward-code',
  { counts, memberIds, tier, mail, ...told }: Mailing,
): Promise<Applied> {
  const rewards = memberIds.length;
  await queueMails(
    transaction,
    memberIds.map((memberId) => ({ kind, memberId, level: tier })),
  );
  return {
    ...told,
    counts: { rewards, ...counts },
    subject: { kind: 'tier', id: String(tier) },
    details: { tier, rewards, without_mail: counts.without_mail },
    afterCommit: async () => mail.wake(),
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
