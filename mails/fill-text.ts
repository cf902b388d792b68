import type { CountedText } from '../brand/brand-shape.ts';

export type TextValues = {
  /** What stands for a name in braces. */
  readonly named: Readonly<Record<string, string | number>>;
  /** The number that chooses between the forms of a text. */
  readonly count: number;
  readonly language: string;
};

const PLACEHOLDER = /\{(\w*)\}/g;

/** The text with its values. Throws when it names one that is not among them. */
export function fillText(text: string | CountedText, { named, count, language }: TextValues): string {
  const form = typeof text === 'string' ? text : (text[new Intl.PluralRules(language).select(count)] ?? text.other);
  return form.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = named[name];
    if (value === undefined) throw new Error(`No value for ${placeholder} in "${form}".`);
    return String(value);
  });
}

/** All forms of a text. */
export function formsOf(text: string | CountedText): string[] {
  return typeof text === 'string' ? [text] : Object.values(text);
}

export function placeholdersOf(form: string): string[] {
  return [...form.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}
