import {
  Checkbox,
  Checkboxes,
  fromLocalInput,
  type Options,
  Segmented,
  Select,
  TextArea,
  TextField,
  toLocalInput,
} from './fields.tsx';

type FormField<Values> = {
  readonly label: string;
  readonly kind?:
    | 'area'
    | 'checkbox'
    | 'checkboxes'
    | 'decimal'
    | 'email'
    | 'moment'
    | 'number'
    /** Stored nowhere in the browser. */
    | 'secret'
    | 'segmented'
    | 'select'
    | 'time'
    | 'url';
  readonly value?: string;
  readonly hint?: string | ((values: Values) => string);
  readonly options?: Options;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly rows?: number;
  readonly isRequired?: boolean;
  /** Gets the focus when the dialog opens, if no field before it does. */
  readonly isFirst?: boolean;
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
  maxLength: 500,
  isFirst: true,
} as const;

export function findMissingReason(reason: string): string | undefined {
  return reason.trim() === '' ? 'Please write why.' : undefined;
}

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
  const { label, kind, options = {}, rows = 5, isFirst } = field;
  const { placeholder, maxLength, isRequired } = field;
  const hint = typeof field.hint === 'function' ? field.hint(values) : field.hint;
  if (kind === 'checkbox')
    return (
      <Checkbox label={label} checked={value !== ''} onChange={(is) => onChange(is ? 'yes' : '')} />
    );
  if (kind === 'checkboxes') return <Checkboxes {...{ label, options, value, error, onChange }} />;
  if (kind === 'segmented')
    return (
      <div className="field">
        <Segmented {...{ label, options, value, onChange }} />
        {hint && (
          <p className="field-hint" role="status">
            {hint}
          </p>
        )}
      </div>
    );
  const control = {
    label,
    hint,
    value,
    error,
    onChange,
    ...(isFirst && { 'data-autofocus': '' }),
  };
  if (kind === 'select') return <Select {...control} options={options} />;
  if (kind === 'moment')
    return (
      <TextField
        {...control}
        type="datetime-local"
        value={toLocalInput(value)}
        onChange={(local) => onChange(fromLocalInput(local))}
      />
    );
  if (kind === 'area') return <TextArea {...control} maxLength={maxLength} rows={rows} />;
  if (kind === 'secret')
    return <TextField {...control} type="password" autoComplete="off" maxLength={500} />;
  if (kind === 'number') return <TextField {...control} inputMode="numeric" />;
  if (kind === 'decimal') return <TextField {...control} inputMode="decimal" />;
  const text = { placeholder, maxLength, required: isRequired };
  return <TextField {...control} {...text} type={kind ?? 'text'} />;
}
