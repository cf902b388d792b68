/** Returns the faults of a value at `key`, such as `copy.tagline`: sentences that begin with it. */
export type Check = (value: unknown, key: string) => string[];

const PLURAL_FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'];
const LONGEST_SHOWN = 40;

export function expected(what: string, isValid: (value: unknown) => boolean): Check {
  return (value, key) => {
    if (isValid(value)) return [];
    if (value === undefined) return [`${key} is missing.`];
    return [`${key} must be ${what}, not ${show(value)}.`];
  };
}

export const anyText = expected('a text', (value) => typeof value === 'string');

export const text: Check = (value, key) =>
  typeof value === 'string' && value.trim() === '' ? [`${key} is empty.`] : anyText(value, key);

export const flag = expected('true or false', (value) => typeof value === 'boolean');

export function oneOf(...words: readonly string[]): Check {
  return expected(words.join(' or '), (value) => words.some((word) => word === value));
}

export function optional(check: Check): Check {
  return (value, key) => (value === undefined ? [] : check(value, key));
}

export function wholeNumber({ min, max }: { min: number; max: number }): Check {
  return expected(
    `a whole number from ${min} to ${max}`,
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  );
}

/** Accepts these keys alone. The compiler holds the checks to the keys of T. */
export function object<T>(checks: { readonly [Key in keyof T]-?: Check }): Check {
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

export function list(
  check: Check,
  { min = 0, max = Number.POSITIVE_INFINITY }: { min?: number; max?: number } = {},
): Check {
  const entries = `${min === max ? '' : 'at least '}${min} ${min === 1 ? 'entry' : 'entries'}`;
  return (value, key) => {
    if (!Array.isArray(value)) return isAList(value, key);
    if (value.length < min || value.length > max)
      return [`${key} must have ${entries}, not ${value.length}.`];
    return value.flatMap((entry, index) => check(entry, `${key}[${index}]`));
  };
}

/** Accepts one value, or one per plural form, of which `other` is required. */
export function counted(check: Check): Check {
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

export function inSequence(first: Check, second: Check): Check {
  return (value, key) => {
    const faults = first(value, key);
    return faults.length > 0 ? faults : second(value, key);
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
