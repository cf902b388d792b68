import { Field, type FieldProps } from './fields.tsx';
import { readNumber } from './formats.ts';

type FormField<Values> = Omit<FieldProps, 'value' | 'hint' | 'error' | 'onChange'> & {
  readonly value?: string;
  readonly hint?: string | ((values: Values) => string);
  /** What is said when the field is empty, or has no such number. */
  readonly missing?: string;
  /** What is wrong with a text that is not empty. */
  readonly check?: (text: string) => string | false;
  /** Bounds of a number, which is whole unless the field is a decimal. */
  readonly min?: number;
  readonly max?: number;
  /** Turns the text into what is sent, where its kind does not say how; undefined sends nothing. */
  readonly read?: (text: string) => unknown;
  readonly isShort?: boolean;
  readonly isShown?: (values: Values) => boolean;
};

export type FieldValues<Name extends string> = Readonly<Record<Name, string>>;

export type FormFields<Name extends string> = Readonly<
  Record<Name, FormField<FieldValues<NoInfer<Name>>>>
>;

export const REASON_FIELD = {
  label: 'Reason',
  kind: 'area',
  rows: 2,
  hint: 'Kept in the audit log. Name no addresses in it.',
  missing: 'Please write why.',
  maxLength: 500,
  isFirst: true,
  isRequired: true,
} as const;

export function initialValues<Name extends string>(fields: FormFields<Name>): FieldValues<Name> {
  const entries = Object.entries<FormField<never>>(fields);
  const values: Record<string, string> = Object.fromEntries(
    entries.map(([name, { value = '' }]) => [name, value]),
  );
  return values as FieldValues<Name>;
}

export function startFrom<Name extends string>(
  values: FieldValues<Name>,
  fields: FormFields<Name>,
): FormFields<Name> {
  const entries = Object.entries<object>(fields) as [Name, object][];
  const filled = entries.map(([name, field]) => [name, { ...field, value: values[name] }]);
  return Object.fromEntries(filled) as FormFields<Name>;
}

const listFields = <Name extends string>(fields: FormFields<Name>, values: FieldValues<Name>) =>
  (Object.entries(fields) as [Name, FormField<FieldValues<Name>>][]).filter(
    ([, { isShown }]) => isShown?.(values) ?? true,
  );

/** What was written, with numbers as programs write them, and what is wrong with shown fields. */
export function readFields<Name extends string>(
  fields: FormFields<Name>,
  written: FieldValues<Name>,
) {
  const entries = Object.entries<string>(written).map(([name, text]) => [name, text.trim()]);
  const values: Record<Name, string> = Object.fromEntries(entries);
  const faults: Partial<Record<Name, string>> = {};
  for (const [name, field] of listFields(fields, written)) {
    const { label, kind, min = 0, max = 9_999_999, isRequired, missing, check } = field;
    if (values[name] === '') {
      if (isRequired) faults[name] = missing ?? `Fill in “${label}”.`;
    } else if (kind === 'number' || kind === 'decimal') {
      const number = readNumber(values[name], kind === 'decimal');
      if (number >= min && number <= max) values[name] = String(number);
      else faults[name] = missing ?? `“${label}” takes ${describeRange(kind, min, max)}.`;
    } else {
      const fault = check?.(values[name]);
      if (fault) faults[name] = fault;
    }
  }
  return { values, faults };
}

/** What shown fields say, by their names: numbers, booleans, and no empty texts. */
export function readInput<Name extends string>(
  fields: FormFields<Name>,
  values: FieldValues<Name>,
): Readonly<Record<string, unknown>> {
  const input = listFields(fields, values).map(([name, { kind, read }]) => {
    const text = values[name];
    if (read) return [name, read(text)];
    if (kind === 'checkbox') return [name, text !== ''];
    const isNumber = kind === 'number' || kind === 'decimal';
    return [name, isNumber && text !== '' ? Number(text) : text || undefined];
  });
  return Object.fromEntries(input.filter(([, value]) => value !== undefined));
}

function describeRange(kind: 'number' | 'decimal', min: number, max: number): string {
  const [from, to] = [min, max].map((bound) => bound.toLocaleString('en-US'));
  return `a ${kind === 'number' ? 'whole ' : ''}number from ${from} to ${to}`;
}

type FieldsProps<Name extends string> = {
  readonly fields: FormFields<Name>;
  readonly values: FieldValues<Name>;
  readonly errors?: Partial<Record<Name, string | undefined>>;
  readonly onChange: (name: Name, value: string) => void;
};

export function Fields<Name extends string>({
  fields,
  values,
  errors = {},
  onChange,
}: FieldsProps<Name>) {
  const shown = listFields(fields, values);
  if (shown.length === 0) return null;
  return (
    <div className="form-fields">
      {shown.map(
        ([name, { isShown, isShort = false, hint, missing, min, max, read, check, ...field }]) => (
          <div key={name} data-short={isShort}>
            <Field
              {...field}
              hint={typeof hint === 'function' ? hint(values) : hint}
              value={values[name]}
              error={errors[name]}
              onChange={(value) => onChange(name, value)}
            />
          </div>
        ),
      )}
    </div>
  );
}
