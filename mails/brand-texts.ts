/** The brand's texts for a mail, and the values they may use. */
import type { Brand, MailText } from '../brand/brand-shape.ts';
import type { NewsContent } from '../contract/mails.ts';
import { formsOf, placeholdersOf, type TextValues } from './fill-text.ts';

export function textOf({ mails }: Brand, content: NewsContent): MailText {
  if (content.kind !== 'top100') return mails[content.kind];
  return content.isInside ? mails.top100.entered : mails.top100.left;
}

/** The values for the placeholders. `count` selects singular or plural, see brand-shape.ts. */
export function valuesOf(
  { maskCount }: Brand,
  content: NewsContent,
): Pick<TextValues, 'named' | 'count'> {
  switch (content.kind) {
    case 'welcome':
    case 'status-link':
      return { named: { position: content.position }, count: content.position };
    case 'confirm':
      return {
        named: { position: content.position, validDays: content.validDays },
        count: content.validDays,
      };
    case 'friends': {
      const { newFriends, referralCount, position } = content;
      return { named: { newFriends, referralCount, position }, count: newFriends };
    }
    case 'offer':
    case 'offer-reminder':
      return { named: { size: content.size, until: content.until }, count: 1 };
    case 'pass':
    case 'offer-ended':
      return { named: { size: content.size }, count: 1 };
    case 'not-chosen':
      return { named: { position: content.position }, count: content.position };
    case 'tier':
      return { named: { level: content.level, reward: content.reward }, count: content.level };
    case 'reward':
      return { named: { reward: content.reward }, count: 1 };
    case 'reward-code':
      return { named: { reward: content.reward, code: content.code }, count: 1 };
    case 'top100': {
      const placesToGo = Math.max(0, content.position - maskCount);
      return { named: { position: content.position, placesToGo }, count: placesToGo };
    }
  }
}

/** One of each mail, to check the texts with. */
const EVERY_MAIL: readonly NewsContent[] = [
  { kind: 'welcome', position: 1 },
  { kind: 'confirm', position: 1, confirmLink: '', validDays: 1 },
  { kind: 'status-link', position: 1 },
  {
    kind: 'friends',
    newFriends: 1,
    referralCount: 1,
    heldReferrals: 0,
    position: 1,
    nextTier: null,
  },
  { kind: 'tier', level: 1, reward: '', nextTier: null },
  { kind: 'offer', size: '', until: '', offerLink: '' },
  { kind: 'offer-reminder', size: '', until: '', offerLink: '' },
  { kind: 'pass', size: '', offerLink: '' },
  { kind: 'offer-ended', size: '' },
  { kind: 'not-chosen', position: 1 },
  { kind: 'reward', reward: '', rewardLink: '' },
  { kind: 'reward-code', reward: '', code: '' },
  { kind: 'top100', isInside: true, position: 1 },
  { kind: 'top100', isInside: false, position: 101 },
];

/** Sentences for the brand's owner. The build, which loads mails as a module, knows its name. */
class BrandFaults extends Error {
  constructor(sentences: readonly string[]) {
    super([...new Set(sentences)].join('\n'));
    this.name = 'BrandFaults';
  }
}

/** Throws one BrandFaults that lists every unknown placeholder in the brand file. */
export function checkBrandTexts(brand: Brand): void {
  const problems = EVERY_MAIL.flatMap((content) => {
    const known = Object.keys(valuesOf(brand, content).named);
    const { subject, preview, headline, text, button, note } = textOf(brand, content);
    const names = [subject, preview, ...headline, ...text, button, note]
      .flatMap(formsOf)
      .flatMap(placeholdersOf);
    const listed = known.map((name) => `{${name}}`).join(', ');
    return names
      .filter((name) => !known.includes(name))
      .map((name) => `brand.ts: mails.${content.kind} names {${name}}; it knows ${listed}.`);
  });
  const unknown = formsOf(brand.mails.facts.checked)
    .flatMap(placeholdersOf)
    .filter((name) => name !== 'joined' && name !== 'checked');
  for (const name of unknown)
    problems.push(`brand.ts: mails.facts.checked names {${name}}; it knows {joined}, {checked}.`);
  if (problems.length > 0) throw new BrandFaults(problems);
}
