import type { Brand } from '../brand/brand-shape.ts';
import {
  type CountedText,
  formsOf,
  MAIL_SHAPES,
  type MailShape,
  type MailText,
  mapShapes,
  type NewsKind,
} from '../brand/mail-shape.ts';
import type { NewsContent, PaymentTerms } from '../contract/mails.ts';

const TERM_NAMES = ['price', 'payHours', 'payBy'];

type TextValues = {
  readonly named: Readonly<Record<string, string | number>>;
  readonly count: number;
  readonly language: string;
};

/** The words of a kind in one of its forms; undefined if the brand has none. */
function wordsOf({ mails }: Brand, kind: NewsKind, form: string): MailText | undefined {
  const words = mails[kind] as MailText & Readonly<Record<string, unknown>>;
  return form === '' ? words : (words[form] as MailText | undefined);
}

/** Throws for a kind or form that no brand has. */
export function textOf(brand: Brand, content: NewsContent): { text: MailText; values: TextValues } {
  const { kind, form = '', terms } = content;
  const shape: MailShape | undefined = MAIL_SHAPES[kind as NewsKind];
  const text = shape && wordsOf(brand, kind as NewsKind, form);
  if (shape === undefined || text === undefined)
    throw new Error(`The brand has no words for the mail ${kind} ${form}.`);
  const named: Record<string, string | number> = { ...content.values };
  if (terms) named.terms = fillTerms(brand, terms);
  const first = named[Object.keys(formsOf(shape)[form] ?? {})[0] ?? ''];
  const count = typeof first === 'number' ? first : 1;
  return { text, values: { named, count, language: brand.language } };
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

export function checkBrandTexts(brand: Brand): void {
  const { terms, entryReasons } = brand.mails;
  const kinds = mapShapes((shape, kind) =>
    Object.entries(formsOf(shape)).flatMap(([form, values]) => {
      const text = wordsOf(brand, kind, form);
      const place = form === '' ? `mails.${kind}` : `mails.${kind}.${form}`;
      return findUnknown(place, text ? partsOf(text) : [], Object.keys(values));
    }),
  );
  const problems = [
    ...Object.values(kinds).flat(),
    ...findUnknown('mails.entryReasons', Object.values(entryReasons), []),
    ...findUnknown('mails.terms', Object.values(terms), TERM_NAMES),
  ];
  if (problems.length > 0) throw new Error([...new Set(problems)].join('\n'));
}

const partsOf = ({ subject, preview, headline, text, button, note }: MailText) => [
  subject,
  preview,
  ...headline,
  ...text,
  button,
  note,
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
