import type { Static, TObject } from 'typebox';

export class UsageError extends Error {}

/** The label of a value, its meaning, and values to complete; for a flag the meaning alone. */
export type Option = string | readonly [value: string, about: string, choices?: readonly string[]];

type Kebab<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}-${Kebab<Rest>}`
  : Name;
type OptionsOf<Schema extends TObject> = {
  readonly [Name in keyof Schema['properties'] & string as Kebab<Name>]: Option;
};

type Field = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly { readonly const?: string }[];
  readonly items?: Field;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
};

export function choicesOf(label: string): readonly string[] {
  return /^[<["]/.test(label) ? [] : label.split('|');
}

export function assertChoice(value: string, label: string, beginning = 'Say'): void {
  const choices = choicesOf(label);
  if (choices.length > 0 && !choices.includes(value))
    throw new UsageError(`${beginning} ${choices.join(' or ')}, not ${value}.`);
}

export function labelOf(schema: TObject, name: string): string {
  const field: Field = schema.properties[name] ?? {};
  const label = valuesOf(field);
  if (label.length > 0) return label.join('|');
  const words = name.replaceAll('_', ' ');
  return schema.required?.includes(name) ? `<${words}>` : `[${words}]`;
}

export function itemsOf(schema: TObject, name: string): readonly string[] {
  return valuesOf((schema.properties[name] as Field | undefined)?.items ?? {});
}

const valuesOf = ({ enum: values, anyOf }: Field): readonly string[] =>
  values ?? anyOf?.flatMap((one) => one.const ?? []) ?? [];

export function optionsOf<Schema extends TObject>(schema: Schema): OptionsOf<Schema> {
  const options = Object.entries<Field>(schema.properties).map(([name, field]) => {
    const { type = '', enum: values, description = '' } = field;
    const kinds: Readonly<Record<string, string>> = { boolean: 'yes|no', integer: '<number>' };
    const about = description.charAt(0).toLowerCase() + description.slice(1);
    return [toKebab(name), [values?.join('|') ?? kinds[type] ?? '"<text>"', about]];
  });
  return Object.fromEntries(options);
}

/** Fields of the schema that have a text under their name in kebab-case. Throws UsageError. */
export function readFields<Schema extends TObject>(
  schema: Schema,
  texts: Readonly<Record<string, string | undefined>>,
): Partial<Static<Schema>> {
  const fields = Object.entries<Field>(schema.properties).flatMap(([name, field]) => {
    const text = texts[toKebab(name)];
    return text === undefined ? [] : [[name, readField(text, field, itemsOf(schema, name))]];
  });
  return Object.fromEntries(fields);
}

export function toKebab(name: string): string {
  return name.replaceAll('_', '-');
}

/** The API names a field: here it is an option, or a word without one. */
export function nameAsTyped(sentence: string, options: object): string {
  return sentence.replace(/^The field "(?:\w+\.)*(\w+)"/, (_, field: string) =>
    toKebab(field) in options ? `--${toKebab(field)}` : `<${field.replaceAll('_', ' ')}>`,
  );
}

export function readNumber(text: string, minimum = 0, maximum = 1_000_000): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw new UsageError(`${text} is not a whole number from ${minimum} to ${maximum}.`);
}

function readField(text: string, field: Field, items: readonly string[]) {
  const { type, minimum, maximum, enum: [only, ...others] = [] } = field;
  if (only !== undefined && others.length === 0) return only;
  if (type === 'integer') return readNumber(text, minimum, maximum);
  if (type === 'boolean') return text === 'yes';
  if (items.length === 0) return text;
  const chosen = text === 'all' ? items : text.split(',');
  for (const item of chosen) assertChoice(item, items.join('|'));
  return chosen;
}
