import { Checkbox, Segmented } from './choices.tsx';
import { DateTimeField, type Options, Select, TextArea, TextField } from './fields.tsx';

export type FormField<Values> = {
  readonly label: string;
  readonly kind?:
    | 'area'
    | 'checkbox'
    | 'decimal'
    | 'email'
    | 'moment'
    | 'number'
    /** Stored nowhere in the browser. */
    | 'secret'
    | 'segmented'
    | 'select'
    | 'time';
  /** Value to begin with; a checkbox is checked while it is not empty. */
  readonly value?: string;
  readonly hint?: string | ((values: Values) => string);
  readonly options?: Options;
  readonly maxLength?: number;
  readonly isRequired?: boolean;
  /** Gets the focus when the dialog opens; by default the reason does. */
  readonly isFirst?: boolean;
  readonly isShort?: boolean;
  readonly isShown?: (values: Values) => boolean;
};

export type FieldValues<Name extends string> = Readonly<Record<Name, string>>;

export type FormFields<Name extends string> = Readonly<
  Record<Name, FormField<FieldValues<NoInfer<Name>>>>
>;

export function initialValues<Name extends string>(fields: FormFields<Name>): FieldValues<Name> {
  const entries = Object.entries<FormField<never>>(fields);
  const values: Record<string, string> = Object.fromEntries(
    entries.map(([name, { value = '' }]) => [name, value]),
  );
  return values as FieldValues<Name>;
}

type FieldsProps<Name extends string> = {
  readonly fields: FormFields<Name>;
  readonly values: FieldValues<Name>;
  readonly onChange: (name: Name, value: string) => void;
};

/** The fields of a form, made of their descriptions. */
export function Fields<Name extends string>({ fields, values, onChange }: FieldsProps<Name>) {
  const described = Object.entries(fields) as [Name, FormField<FieldValues<Name>>][];
  if (described.length === 0) return null;
  return (
    <div className="form-fields">
      {described.map(
        ([name, field]) =>
          (field.isShown?.(values) ?? true) && (
            <div key={name} data-short={field.isShort ?? false}>
              <Control
                field={field}
                values={values}
                value={values[name]}
                onChange={(value) => onChange(name, value)}
              />
            </div>
          ),
      )}
    </div>
  );
}

function Control<All>({
  field: { label, kind, hint, options = {}, maxLength, isRequired, isFirst },
  values,
  value,
  onChange,
}: {
  field: FormField<All>;
  values: All;
  value: string;
  onChange: (value: string) => void;
}) {
  if (kind === 'checkbox')
    return (
      <Checkbox label={label} checked={value !== ''} onChange={(is) => onChange(is ? 'yes' : '')} />
    );
  if (kind === 'segmented') return <Segmented {...{ label, options, value, onChange }} />;
  const control = {
    label,
    hint: typeof hint === 'function' ? hint(values) : hint,
    value,
    required: isRequired,
    onChange,
    ...(isFirst && { 'data-autofocus': '' }),
  };
  if (kind === 'select') return <Select {...control} options={options} />;
  if (kind === 'moment') return <DateTimeField {...control} />;
  if (kind === 'area') return <TextArea {...control} rows={5} />;
  if (kind === 'secret')
    return <TextField {...control} type="password" autoComplete="off" maxLength={500} />;
  if (kind === 'number') return <TextField {...control} inputMode="numeric" />;
  if (kind === 'decimal') return <TextField {...control} inputMode="decimal" />;
  return <TextField {...control} type={kind ?? 'text'} maxLength={maxLength} />;
}
