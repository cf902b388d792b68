import type { Tier } from '../../../brand/brand-shape.ts';
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
const SAMPLE_TOKEN = 'sample';

export type SampleMail = { readonly name: string; readonly content: NewsContent };

/** One of each mail, about the brand's second tier if it has two. */
export function sampleMails(publicUrl: string, tiers: readonly Tier[]): readonly SampleMail[] {
  const level = Math.max(1, Math.min(2, tiers.length));
  const tier = tiers[level - 1] ?? { requiredReferrals: 10, reward: 'A reward' };
  const { reward } = tier;
  const newFriends = 3;
  const confirmLink = publicUrl + fillPath(mailPagePaths.confirm, SAMPLE_TOKEN);
  const offerLink = publicUrl + offerPath(SAMPLE_ID, SAMPLE_TOKEN);
  const rewardLink = publicUrl + fillPath(mailPagePaths.reward, SAMPLE_TOKEN, level);
  return [
    { name: 'welcome', content: { kind: 'welcome', position: 128 } },
    { name: 'confirm', content: { kind: 'confirm', position: 128, confirmLink, validDays: 7 } },
    { name: 'status-link', content: { kind: 'status-link', position: 128 } },
    {
      name: 'friends',
      content: {
        kind: 'friends',
        newFriends,
        referralCount: Math.max(newFriends, tier.requiredReferrals - newFriends),
        heldReferrals: 1,
        position: 41,
        nextTier: tier,
      },
    },
    {
      name: 'tier',
      content: { kind: 'tier', level, reward, nextTier: tiers[level] ?? null },
    },
    ...(['offer', 'offer-reminder'] as const).map((kind) => ({
      name: kind,
      content: { kind, size: 'Medium', until: 'November 22 at 8:00 PM UTC', offerLink },
    })),
    { name: 'pass', content: { kind: 'pass', size: 'Medium', offerLink } },
    { name: 'offer-ended', content: { kind: 'offer-ended', size: 'Medium' } },
    { name: 'not-chosen', content: { kind: 'not-chosen', position: 4_321 } },
    { name: 'reward', content: { kind: 'reward', reward, rewardLink } },
    {
      name: 'reward-code',
      content: { kind: 'reward-code', reward, code: '7KQF-2M9X-HTWB-4RZD' },
    },
    { name: 'top100-entered', content: { kind: 'top100', isInside: true, position: 98 } },
    { name: 'top100-left', content: { kind: 'top100', isInside: false, position: 104 } },
  ];
}

export function sampleFrame(publicUrl: string): MailFrame {
  return {
    publicUrl,
    statusLink: publicUrl + ownStatusPath(SAMPLE_ID),
    inviteLink: publicUrl + fillPath(pagePaths.invite, SAMPLE_CODE),
    referralCode: SAMPLE_CODE,
    ghostImage: publicUrl + devMailPaths.sampleGhost,
    preferencesLink: publicUrl + fillPath(mailPagePaths.preferences, SAMPLE_TOKEN),
  };
}
