import { Checkbox, Checkboxes, Segmented } from './choices.tsx';
import { ReasonField } from './dialogs.tsx';
import { DateTimeField, type Options, Select, TextArea, TextField } from './fields.tsx';

type FormField<Values> = {
  readonly label: string;
  readonly kind?:
    | 'area'
    | 'checkbox'
    /** The value has those that are checked, with spaces between them. */
    | 'checkboxes'
    | 'decimal'
    | 'email'
    | 'moment'
    | 'number'
    | 'reason'
    /** Stored nowhere in the browser. */
    | 'secret'
    | 'segmented'
    | 'select'
    | 'time'
    | 'url';
  /** Value to begin with; a checkbox is checked while it is not empty. */
  readonly value?: string;
  readonly hint?: string | ((values: Values) => string);
  readonly options?: Options;
  readonly placeholder?: string;
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
  readonly errors?: Partial<Record<Name, string | undefined>>;
  readonly onChange: (name: Name, value: string) => void;
};

/** The fields of a form, made of their descriptions. */
export function Fields<Name extends string>({
  fields,
  values,
  errors = {},
  onChange,
}: FieldsProps<Name>) {
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
                error={errors[name]}
                onChange={(value) => onChange(name, value)}
              />
            </div>
          ),
      )}
    </div>
  );
}

type ControlProps<All> = {
  readonly field: FormField<All>;
  readonly values: All;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
};

function Control<All>({ field, values, value, error, onChange }: ControlProps<All>) {
  const { label, kind, hint, options = {}, placeholder, maxLength, isRequired, isFirst } = field;
  if (kind === 'checkbox')
    return (
      <Checkbox label={label} checked={value !== ''} onChange={(is) => onChange(is ? 'yes' : '')} />
    );
  if (kind === 'checkboxes')
    return (
      <Checkboxes
        label={label}
        options={options as Readonly<Record<string, string>>}
        values={value.split(' ').filter(Boolean)}
        error={error}
        onChange={(chosen) => onChange(chosen.join(' '))}
      />
    );
  if (kind === 'segmented') return <Segmented {...{ label, options, value, onChange }} />;
  if (kind === 'reason') return <ReasonField {...{ error, value, onChange }} />;
  const control = {
    label,
    hint: typeof hint === 'function' ? hint(values) : hint,
    value,
    error,
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
  const text = { placeholder, maxLength, required: isRequired };
  return <TextField {...control} {...text} type={kind ?? 'text'} />;
}
