import type { CountedText } from '../brand/brand-shape.ts';

export type TextValues = {
  /** Replacements for names in braces. */
  readonly named: Readonly<Record<string, string | number>>;
  /** Selects the plural form. */
  readonly count: number;
  readonly language: string;
};

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

/** All plural forms of a text. */
export function formsOf(text: string | CountedText): string[] {
  return typeof text === 'string' ? [text] : Object.values(text);
}

export function placeholdersOf(form: string): string[] {
  return [...form.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}
