import type { Brand } from '../brand/brand-shape.ts';
import type {
  CampaignContent,
  MailBlock,
  MailContent,
  MailFrame,
  MailWords,
  NewsContent,
} from '../contract/mails.ts';
import { fillText, textOf } from './brand-texts.ts';

export type MailParts = {
  readonly brandName: string;
  readonly siteLink: string;
  readonly referralCode: string;
  readonly subject: string;
  readonly preview: string;
  readonly headline: readonly [string, string, string];
  readonly paragraphs: readonly string[];
  readonly blocks: readonly MailBlock[];
  readonly action: Link;
  readonly facts: readonly Fact[];
  readonly note: string;
  readonly picture: { readonly image: string; readonly alt: string };
  readonly invite: Omit<Brand['mails']['invite'], 'fixedNote'> & { readonly link: string };
  readonly footer: {
    readonly why: string;
    readonly links: readonly Link[];
  };
};

type Link = { readonly label: string; readonly link: string };
type Fact = { readonly label: string; readonly value: string };

const PREVIEW_LENGTH = 140;

export function composeParts(brand: Brand, content: MailContent, frame: MailFrame): MailParts {
  const { invite, footer } = brand.mails;
  const { copy } = brand;
  const isCampaign = 'blocks' in content;
  const own = isCampaign ? written(brand, content) : brandTexts(brand, content);
  const { action = frame.statusLink, shown }: Partial<NewsContent> = isCampaign ? {} : content;
  return {
    ...own,
    brandName: brand.name,
    siteLink: frame.publicUrl,
    referralCode: frame.referralCode,
    action: { label: own.button, link: action },
    picture: { image: frame.image, alt: shown?.alt ?? `${copy.faceTitle}. ${copy.faceNote}` },
    invite: {
      ...invite,
      note: frame.isOrderFixed ? invite.fixedNote : invite.note,
      link: frame.inviteLink,
    },
    footer: {
      why: footer.why,
      links: [
        ...(frame.draw ? [{ ...frame.draw, label: `${footer.draw} ${frame.draw.hash}` }] : []),
        { label: footer.status, link: frame.statusLink },
        ...(frame.confirmLink === null ? [] : [{ label: footer.confirm, link: frame.confirmLink }]),
        ...(frame.answerLink === null ? [] : [{ label: footer.answer, link: frame.answerLink }]),
        {
          label: frame.isStopped ? footer.resume : footer.preferences,
          link: frame.preferencesLink,
        },
      ],
    },
  };
}

type OwnParts = Pick<
  MailParts,
  'subject' | 'preview' | 'headline' | 'paragraphs' | 'blocks' | 'facts' | 'note'
> & { readonly button: string };

function brandTexts(brand: Brand, content: NewsContent): OwnParts {
  const { text, values } = textOf(brand, content);
  const fill = (template: Parameters<typeof fillText>[0]) => oneLine(fillText(template, values));
  const [before, figure, after] = text.headline;
  return {
    subject: fill(text.subject),
    preview: fill(text.preview),
    headline: [fill(before), fill(figure), fill(after)],
    paragraphs: text.text.map(fill),
    blocks: [],
    facts: factsOf(brand, content),
    note: fill(text.note),
    button: fill(text.button),
  };
}

function written({ mails }: Brand, { subject, blocks }: CampaignContent): OwnParts {
  const line = oneLine(subject);
  return {
    subject: line,
    preview: oneLine(previewOf(blocks)).slice(0, PREVIEW_LENGTH),
    headline: ['', line, ''],
    paragraphs: [],
    blocks,
    facts: [],
    note: '',
    button: mails.footer.status,
  };
}

function previewOf(blocks: readonly MailBlock[]): string {
  for (const block of blocks) if (block.kind === 'paragraph') return wordsToText(block.words);
  return '';
}

function wordsToText(words: readonly MailWords[]): string {
  return words
    .map((word) => {
      if ('text' in word) return word.text;
      return word.kind === 'break' ? '\n' : wordsToText(word.words);
    })
    .join('');
}

function factsOf({ mails, language }: Brand, { facts = {} }: NewsContent): Fact[] {
  const { friends, position, nextReward } = facts;
  const values = [
    { label: mails.facts.friends, value: friends?.toString() },
    { label: mails.facts.position, value: position && `#${position.toLocaleString(language)}` },
    { label: mails.facts.nextReward, value: nextReward },
  ];
  return values.flatMap(({ label, value }) => (value ? [{ label, value }] : []));
}

/** Prevents header injection by a line break in the subject. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
