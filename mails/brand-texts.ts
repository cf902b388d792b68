import type { Brand, CountedText, MailText } from '../brand/brand-shape.ts';
import type { NewsContent, PaymentTerms } from '../contract/mails.ts';

const NAMES = {
  welcome: ['position'],
  confirm: ['validDays', 'position'],
  'status-link': ['position'],
  'confirm-reminder': ['freezesAt'],
  friends: ['newFriends', 'referralCount', 'position'],
  tier: ['level', 'reward'],
  offer: ['size', 'until', 'terms'],
  'offer-reminder': ['size', 'until', 'terms'],
  pass: ['size', 'terms'],
  'pass-paid': ['size'],
  'pay-reminder': ['size', 'until'],
  'pass-unpaid': ['size'],
  'pass-cancelled': ['size', 'note'],
  'mask-address': ['size'],
  'mask-sent': ['size', 'carrier', 'tracking'],
  'offer-ended': ['size'],
  enter: ['price', 'until'],
  'enter-reminder': ['price', 'until'],
  entered: ['price'],
  'entry-over': ['price', 'reason'],
  'not-chosen': ['position'],
  reward: ['reward'],
  'reward-code': ['reward', 'code'],
  top100: ['placesToGo', 'position'],
} as const satisfies Record<NewsContent['kind'], readonly string[]>;

const TERM_NAMES = ['price', 'payHours', 'payBy'];

export type TextValues = {
  readonly named: Readonly<Record<string, string | number>>;
  readonly count: number;
  readonly language: string;
};

export function textOf({ mails }: Brand, content: NewsContent): MailText {
  if (content.kind === 'confirm-reminder')
    return mails[content.kind][content.freezesAt === null ? 'undated' : 'dated'];
  if (content.kind === 'not-chosen')
    return mails[content.kind][content.canReturn ? 'waiting' : 'over'];
  if (content.kind !== 'top100') return mails[content.kind];
  return content.isInside ? mails.top100.entered : mails.top100.left;
}

export function valuesOf(brand: Brand, content: NewsContent): TextValues {
  const { maskCount, language } = brand;
  const placesToGo = 'position' in content ? Math.max(0, content.position - maskCount) : 0;
  const terms = 'terms' in content ? fillTerms(brand, content.terms) : '';
  const reason = content.kind === 'entry-over' ? reasonOf(brand, content) : '';
  const known: Readonly<Record<string, unknown>> = { ...content, placesToGo, terms, reason };
  const named = Object.fromEntries(
    NAMES[content.kind].map((name) => [name, known[name] as string | number]),
  );
  const [first] = Object.values(named);
  return { named, count: typeof first === 'number' ? first : 1, language };
}

function reasonOf({ mails: { entryReasons } }: Brand, { why, mayEnter }: EntryOver): string {
  return mayEnter ? `${entryReasons[why]} ${entryReasons.again}` : entryReasons[why];
}

function fillTerms({ mails: { terms }, language }: Brand, known: PaymentTerms): string {
  const { price, payHours, payBy, needsCode } = known;
  const texts = [
    ...(price === null ? [] : [terms.price]),
    ...(payHours === null ? [] : [terms.payHours]),
    ...(payBy === null ? [] : [terms.payBy]),
    ...(needsCode ? [terms.code] : []),
  ];
  const named = { price: price ?? '', payHours: payHours ?? 0, payBy: payBy ?? '' };
  return texts.map((text) => fillText(text, { named, count: named.payHours, language })).join(' ');
}

type EntryOver = Extract<NewsContent, { kind: 'entry-over' }>;

const PLACEHOLDER = /\{(\w*)\}/g;

/** Throws when the text has a placeholder without a value. */
export function fillText(
  text: string | CountedText,
  { named, count, language }: TextValues,
): string {
  const form =
    typeof text === 'string'
      ? text
      : (text[new Intl.PluralRules(language).select(count)] ?? text.other);
  return form.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = named[name];
    if (value === undefined) throw new Error(`No value for ${placeholder} in "${form}".`);
    return value.toLocaleString(language);
  });
}

export function checkBrandTexts({ mails }: Brand): void {
  const { top100, 'confirm-reminder': reminder, 'not-chosen': notChosen } = mails;
  const several: Readonly<Record<string, readonly MailText[]>> = {
    top100: [top100.entered, top100.left],
    'confirm-reminder': [reminder.dated],
    'not-chosen': [notChosen.waiting, notChosen.over],
  };
  const problems = Object.entries(NAMES).flatMap(([kind, names]) =>
    (several[kind] ?? [mails[kind as 'welcome']]).flatMap((text) =>
      findUnknown(`mails.${kind}`, wordsOf(text), names),
    ),
  );
  problems.push(...findUnknown('mails.confirm-reminder.undated', wordsOf(reminder.undated), []));
  problems.push(...findUnknown('mails.entryReasons', Object.values(mails.entryReasons), []));
  problems.push(...findUnknown('mails.terms', Object.values(mails.terms), TERM_NAMES));
  if (problems.length > 0) throw new Error([...new Set(problems)].join('\n'));
}

const wordsOf = ({ subject, preview, headline, text, button, note }: MailText) => [
  ...[subject, preview, ...headline, ...text],
  ...[button, note],
];

function findUnknown(
  place: string,
  texts: readonly (string | CountedText)[],
  known: readonly string[],
): string[] {
  const listed = known.map((name) => `{${name}}`).join(', ');
  return texts
    .flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text)))
    .flatMap((form) => [...form.matchAll(PLACEHOLDER)].map(([, name = '']) => name))
    .filter((name) => !known.includes(name))
    .map((name) => `brand.ts: ${place} names {${name}}; it knows ${listed}.`);
}
