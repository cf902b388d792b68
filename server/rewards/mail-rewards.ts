import type { Brand } from '../../brand/brand-shape.ts';
import { countOf } from '../changes/count-words.ts';
import type { Applied, Operation } from '../changes/operation.ts';
import type { Transaction } from '../db/transaction.ts';
import { queueMails } from '../line/mails/store.ts';
import { assertCodes, type Level, levelOf } from '../line/referrals/tier-rules.ts';
import { findUnmailed } from '../mail/suppression/store.ts';
import { conflict } from '../problem.ts';
import {
  type CodeLimits,
  findRewards,
  insertAsked,
  insertWithCodes,
  readCodeLimits,
  type WantedRewards,
} from './reward-store.ts';
import { assertFew, MAX_REWARDS, type RewardChanges, rewardsOf } from './rewards.ts';

export function openAskRewards({ brand, mail }: RewardChanges): Operation<'ask-rewards'> {
  return {
    lock: null,
    async apply(transaction, input, _, isPreview) {
      const level = levelOf(brand.tiers, input.tier);
      const { tier, reward, isAsked } = level;
      if (!isAsked) throw conflict(`The reward of tier ${tier} needs nothing from its members.`);
      assertMailed(brand, 'reward');
      const states = input.again ? (['owed', 'asked'] as const) : (['owed'] as const);
      const wanted = { level, states, memberIds: input.member_ids };
      const { mailable, left } = await findMailable(transaction, 'asked about a reward', wanted);
      assertFew(mailable.length, input.expected);
      const asked = isPreview ? mailable : await insertAsked(transaction, tier, mailable);
      const members = countOf(mailable.length, 'member is', 'members are');
      return await mailRewards(transaction, 'reward', {
        sentences: [
          `${members} mailed a link, and asked where to send the reward of tier ${tier}: ` +
            `${reward}.`,
          ...describeMailing(left),
        ],
        counts: left,
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
    async apply(transaction, input, _, isPreview) {
      const level = levelOf(brand.tiers, input.tier);
      const { tier, reward } = level;
      assertCodes(level);
      assertMailed(brand, 'reward-code');
      const limits = await readCodeLimits(transaction, tier);
      const most = Math.min(MAX_REWARDS, limits.codes, limits.units ?? MAX_REWARDS);
      if (most === 0) throw conflict(explainNone(tier, limits));
      const wanted = { level, states: ['owed'] as const, memberIds: input.member_ids };
      const { mailable, left } = await findMailable(transaction, 'sent a code', wanted);
      const mailed = mailable.slice(0, most);
      assertFew(mailed.length, input.expected);
      const owed = mailable.length - mailed.length;
      const sent = isPreview ? mailed : await insertWithCodes(transaction, tier, mailed);
      if (sent.length === 0) throw conflict('Another operator has just sent these codes.');
      const stay = countOf(owed, 'member stays', 'members stay');
      return await mailRewards(transaction, 'reward-code', {
        sentences: [
          `${countOf(mailed.length, 'member is', 'members are')} mailed a code, the reward of ` +
            `tier ${tier}: ${reward}.`,
          ...(owed === 0 ? [] : [`${stay} owed: there are ${describeLimits(limits)}.`]),
          ...describeMailing(left),
        ],
        counts: { left: owed, ...left },
        summary: `Codes were mailed for ${rewardsOf(sent.length, tier)}.`,
        memberIds: sent,
        tier,
        mail,
      });
    },
  };
}

type MailKind = 'reward' | 'reward-code';
type Left = Readonly<Record<'without_mail' | 'waiting', number>>;
type Mailing = Pick<Applied, 'sentences' | 'summary'> &
  Pick<RewardChanges, 'mail'> & {
    readonly counts: Left & Readonly<Record<string, number>>;
    readonly memberIds: readonly string[];
    readonly tier: number;
  };

function assertMailed({ mails }: Pick<Brand, 'mails'>, kind: MailKind): void {
  if (!mails[kind].isOn) throw conflict(`The brand file switches the mail "${kind}" off.`);
}

async function mailRewards(
  transaction: Transaction,
  kind: MailKind,
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

/**
 * Members who can be mailed, and how many have a suppressed address or unconfirmed friends. Throws
 * Problem conflict when no member can be mailed.
 */
async function findMailable(
  transaction: Transaction,
  what: string,
  { level, ...which }: Pick<WantedRewards, 'states' | 'memberIds'> & { readonly level: Level },
) {
  const { tier, required } = level;
  const wanted = { ...which, tier, required, limit: MAX_REWARDS + 1 };
  const found = await findRewards(transaction, { ...wanted, isSettled: true });
  const reaching = await findRewards(transaction, { ...wanted, isSettled: false });
  const ids = found.map(({ memberId }) => memberId);
  const unmailed = await findUnmailed(transaction, ids);
  const mailable = ids.filter((id) => !unmailed.has(id));
  const left: Left = { without_mail: unmailed.size, waiting: reaching.length - found.length };
  const nobody = `Nobody would be ${what} of tier ${tier}.`;
  if (mailable.length === 0)
    throw conflict([nobody, ...describeLeft(left, 'member', 'members')].join(' '));
  return { mailable, left };
}

const describeMailing = (left: Left): string[] => [
  ...describeLeft(left, 'other', 'others'),
  'A mail cannot be called back.',
];

function describeLeft(
  { without_mail: suppressed, waiting }: Left,
  one: string,
  several: string,
): string[] {
  const without = countOf(suppressed, `${one} gets`, `${several} get`);
  const early = countOf(waiting, `${one} waits`, `${several} wait`);
  return [
    ...(suppressed === 0 ? [] : [`${without} no mail, and stay owed.`]),
    ...(waiting === 0 ? [] : [`${early}: too few of their friends have confirmed their address.`]),
  ];
}
