import type { Brand } from '../brand/brand-shape.ts';
import {
  type CountedText,
  formsOf,
  MAIL_SHAPES,
  type MailShape,
  type MailText,
  type NewsKind,
} from '../brand/mail-shape.ts';
import type { NewsContent, PaymentTerms } from '../contract/mails.ts';

type TextValues = {
  readonly named: Readonly<Record<string, string | number>>;
  readonly count: number;
  readonly language: string;
};

/** Throws for a kind or form that no brand has. */
export function textOf(brand: Brand, content: NewsContent): { text: MailText; values: TextValues } {
  const { kind, form = '', terms } = content;
  const shape: MailShape | undefined = MAIL_SHAPES[kind as NewsKind];
  const words = brand.mails[kind as NewsKind] as MailText & Readonly<Record<string, MailText>>;
  const text = shape && (form === '' ? words : words[form]);
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
