import type { CountedText } from './mail-shape.ts';

/**
 * Returns the faults of a value at `key`, such as `copy.tagline`: sentences that begin with it. A
 * value without faults is a `T`, which is derived from the check, so that no type repeats it.
 */
export type Check<T = unknown> = ((value: unknown, key: string) => string[]) & {
  readonly checked?: T;
};
export type Checked<Of> = Of extends Check<infer T> ? T : never;

const PLURAL_FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'];
const LONGEST_SHOWN = 40;

export function expected<T>(what: string, isValid: (value: unknown) => boolean): Check<T> {
  return (value, key) => {
    if (isValid(value)) return [];
    if (value === undefined) return [`${key} is missing.`];
    return [`${key} must be ${what}, not ${show(value)}.`];
  };
}

export const anyText = expected<string>('a text', (value) => typeof value === 'string');

export const text: Check<string> = (value, key) =>
  typeof value === 'string' && value.trim() === '' ? [`${key} is empty.`] : anyText(value, key);

export const flag = expected<boolean>('true or false', (value) => typeof value === 'boolean');

export function oneOf<Word extends string>(...words: readonly Word[]): Check<Word> {
  return expected(words.join(' or '), (value) => words.some((word) => word === value));
}

export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value, key) => (value === undefined ? [] : check(value, key));
}

export function wholeNumber({ min, max }: { min: number; max: number }): Check<number> {
  return expected(
    `a whole number from ${min} to ${max}`,
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  );
}

type Checks = Readonly<Record<string, Check>>;
type OptionalKey<Of extends Checks> = {
  [Key in keyof Of]: undefined extends Checked<Of[Key]> ? Key : never;
}[keyof Of];
type ObjectOf<Of extends Checks> = {
  readonly [Key in Exclude<keyof Of, OptionalKey<Of>>]: Checked<Of[Key]>;
} & { readonly [Key in OptionalKey<Of>]?: Exclude<Checked<Of[Key]>, undefined> };

/** Accepts these keys alone. */
export function object<Of extends Checks>(checks: Of): Check<ObjectOf<Of>> {
  return (value, key) => {
    if (!isObject(value)) return isAnObject(value, key);
    const under = (name: string) => (key === '' ? name : `${key}.${name}`);
    const strangers = Object.keys(value).filter((name) => !Object.hasOwn(checks, name));
    return [
      ...Object.entries<Check>(checks).flatMap(([name, check]) => check(value[name], under(name))),
      ...strangers.map((name) => `${under(name)} is not a key of the brand file.`),
    ];
  };
}

export function list<T>(check: Check<T>, { min = 0 } = {}): Check<readonly T[]> {
  return (value, key) => {
    if (!Array.isArray(value)) return isAList(value, key);
    if (value.length < min) return [`${key} must have at least ${min} entry, not ${value.length}.`];
    return value.flatMap((entry, index) => check(entry, `${key}[${index}]`));
  };
}

export function tuple<const Of extends readonly Check[]>(
  ...checks: Of
): Check<{ readonly [Index in keyof Of]: Checked<Of[Index]> }> {
  return (value, key) => {
    if (!Array.isArray(value)) return isAList(value, key);
    if (value.length !== checks.length)
      return [`${key} must have ${checks.length} entries, not ${value.length}.`];
    return checks.flatMap((check, index) => check(value[index], `${key}[${index}]`));
  };
}

/** Accepts one value, or one per plural form, of which `other` is required. */
export function counted(check: Check<string>): Check<string | CountedText> {
  return (value, key) => {
    if (!isObject(value)) return check(value, key);
    const forms = { other: undefined, ...value };
    return Object.entries(forms).flatMap(([form, words]) =>
      PLURAL_FORMS.includes(form)
        ? check(words, `${key}.${form}`)
        : [`${key}.${form} must be one of ${PLURAL_FORMS.join(', ')}.`],
    );
  };
}

const isAnObject = expected('an object', isObject);
const isAList = expected('a list', Array.isArray);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(
    value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}...` : value,
  );
}
