import type { RewardPicture, Tier } from '../../../brand/brand-shape.ts';
import { devMailPaths } from '../../../contract/dev-mail-paths.ts';
import type { MailFrame, NewsContent } from '../../../contract/mails.ts';
import {
  fillPath,
  mailPagePaths,
  offerPath,
  ownStatusPath,
  pagePaths,
} from '../../../contract/paths.ts';

/** No member's code; determines the ghost that the samples show. */
export const SAMPLE_CODE = 'SAMPLE1234';
const SAMPLE_ID = '00000000-0000-4000-8000-000000000000';
/** Its length is that of a token. */
const SAMPLE_TOKEN = 'sample'.repeat(20);

const CODE_TERMS = { price: null, payHours: null, payBy: null, needsCode: true };
const TERMS = { price: '€99.00', payHours: null, payBy: null, needsCode: false };

export type SampleMail = { readonly name: string; readonly content: NewsContent };

export function sampleTier(tiers: readonly Tier[]): Pick<Tier, 'reward' | 'requiredReferrals'> & {
  readonly level: number;
  readonly picture: RewardPicture;
} {
  const level = Math.max(1, Math.min(2, tiers.length));
  const tier = tiers[level - 1] ?? { requiredReferrals: 10, reward: 'A reward' };
  return { picture: 'ticket', ...tier, level };
}

export function sampleMails(publicUrl: string, tiers: readonly Tier[]): readonly SampleMail[] {
  const tier = sampleTier(tiers);
  const { level, reward } = tier;
  const newFriends = 3;
  const until = 'November 22 at 8:00 PM UTC';
  const confirmLink = publicUrl + fillPath(mailPagePaths.confirm, SAMPLE_TOKEN);
  const offerLink = publicUrl + offerPath(SAMPLE_ID, SAMPLE_TOKEN);
  const rewardLink = publicUrl + fillPath(mailPagePaths.reward, SAMPLE_TOKEN, level);
  const contents: readonly NewsContent[] = [
    { kind: 'welcome', position: 128 },
    { kind: 'confirm', position: 1_204_512, confirmLink, validDays: 7 },
    { kind: 'status-link', position: 1 },
    { kind: 'confirm-reminder', confirmLink, freezesAt: until },
    {
      kind: 'friends',
      newFriends,
      referralCount: Math.max(newFriends, tier.requiredReferrals - newFriends),
      position: 41,
      nextTier: tier,
    },
    { kind: 'tier', level, reward, nextTier: tiers[level] ?? null },
    { kind: 'offer', size: 'Medium', until, offerLink, terms: { ...TERMS, payHours: 24 } },
    { kind: 'offer-reminder', size: 'Medium', until, offerLink, terms: CODE_TERMS },
    { kind: 'pass', size: 'Medium', offerLink, terms: { ...TERMS, payBy: until } },
    { kind: 'pass-paid', size: 'Medium', offerLink },
    { kind: 'pay-reminder', size: 'Medium', until, offerLink },
    { kind: 'pass-unpaid', size: 'Medium' },
    { kind: 'pass-cancelled', size: 'Medium', note: 'The shop refunded your order.' },
    { kind: 'mask-address', size: 'Medium', rewardLink },
    { kind: 'mask-sent', size: 'Medium', carrier: 'DHL', tracking: '00340434161094021501' },
    { kind: 'offer-ended', size: 'Medium' },
    { kind: 'enter', price: '€99.00', until, offerLink },
    { kind: 'enter-reminder', price: '€99.00', until, offerLink },
    { kind: 'entered', price: '€99.00', offerLink },
    { kind: 'entry-over', price: '€99.00', why: 'not-drawn', mayEnter: false, offerLink },
    { kind: 'not-chosen', position: 4_321, canReturn: true },
    { kind: 'reward', reward, rewardLink },
    { kind: 'reward-code', reward, code: '7KQF-2M9X-HTWB-4RZD' },
    { kind: 'top100', isInside: true, position: 98 },
    { kind: 'top100', isInside: false, position: 104 },
  ];
  return contents.map((content) => ({ name: nameOf(content), content }));
}

function nameOf(content: NewsContent): string {
  if (content.kind !== 'top100') return content.kind;
  return content.isInside ? 'top100-entered' : 'top100-left';
}

export function sampleFrame(publicUrl: string, isOfReward = false): MailFrame {
  const { sampleGhost, sampleReward } = devMailPaths;
  return {
    publicUrl,
    statusLink: publicUrl + ownStatusPath(SAMPLE_ID),
    inviteLink: publicUrl + fillPath(pagePaths.invite, SAMPLE_CODE),
    referralCode: SAMPLE_CODE,
    image: publicUrl + (isOfReward ? sampleReward : sampleGhost),
    confirmLink: null,
    answerLink: null,
    preferencesLink: publicUrl + fillPath(mailPagePaths.preferences, SAMPLE_TOKEN),
    isStopped: false,
    isOrderFixed: false,
    draw: null,
  };
}
