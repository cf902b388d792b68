import type { Brand, RewardPicture, Tier } from '../../../brand/brand-shape.ts';
import { formsOf, MAIL_SHAPES, type NewsKind } from '../../../brand/mail-shape.ts';
import { devMailPaths } from '../../../contract/dev-mail-paths.ts';
import type { MailFrame, NewsContent } from '../../../contract/mails.ts';
import { fillPath, mailPagePaths, ownStatusPath, pagePaths } from '../../../contract/paths.ts';

/** No member's code; determines the ghost that the samples show. */
export const SAMPLE_CODE = 'SAMPLE1234';
const SAMPLE_ID = '00000000-0000-4000-8000-000000000000';
/** Its length is that of a token. */
const SAMPLE_TOKEN = 'sample'.repeat(20);
const SAMPLE_TERMS = { price: '€99.00', payHours: 24, payBy: null, needsCode: true };

type SampleMail = { readonly name: string; readonly kind: NewsKind; readonly content: NewsContent };

export function sampleTier(tiers: readonly Tier[]): { reward: string; picture: RewardPicture } {
  const { reward = 'A reward', picture = 'ticket' } = tiers[1] ?? tiers[0] ?? {};
  return { reward, picture };
}

/** One of each mail in each of its forms, with the examples of its values. */
export function sampleMails({ tiers }: Pick<Brand, 'tiers'>): readonly SampleMail[] {
  const { reward, picture } = sampleTier(tiers);
  const nextReward = tiers[2]?.reward;
  const more: Partial<Record<NewsKind, Partial<NewsContent>>> = {
    friends: { facts: { friends: 7, position: 41, nextReward: reward } },
    tier: { facts: { nextReward }, shown: { picture, alt: reward } },
    pass: { terms: { ...SAMPLE_TERMS, payHours: null, payBy: 'November 22 at 8:00 PM UTC' } },
  };
  return (Object.keys(MAIL_SHAPES) as NewsKind[]).flatMap((kind) =>
    Object.entries(formsOf(MAIL_SHAPES[kind])).map(([form, { terms, ...examples }]) => ({
      name: form ? `${kind}-${form}` : kind,
      kind,
      content: {
        kind,
        form,
        values: 'reward' in examples ? { ...examples, reward } : examples,
        ...(terms !== undefined && { terms: SAMPLE_TERMS }),
        ...more[kind],
      },
    })),
  );
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
