import type { MailKindOf, MailRequest } from '../line/mails/mail-kinds.ts';
import { tierProgress } from '../line/referrals/tier-rules.ts';
import { readCodes } from './reward-store.ts';

type RewardMail = MailRequest<'reward' | 'reward-code'> & { readonly level: number };

const reward: MailKindOf<RewardMail> = {
  compose({ request: { level }, recipient, brand, links }) {
    const { rewardsUnlocked } = tierProgress(brand.tiers, recipient.referralCount);
    const name = rewardsUnlocked[level - 1];
    if (name === undefined) return null;
    return { kind: 'reward', values: { reward: name }, action: links.reward(level) };
  },
};

const rewardCode: MailKindOf<RewardMail, string | null> = {
  load: readCodes,
  compose({ request: { level }, loaded: code, brand }) {
    // It was given, also to a member who has lost the tier since.
    const name = brand.tiers[level - 1]?.reward;
    if (name === undefined || code === null) return null;
    return { kind: 'reward-code', values: { reward: name, code } };
  },
};

export const rewardMails = { reward, 'reward-code': rewardCode };
