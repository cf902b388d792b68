import { type ReactNode, useState } from 'react';
import type { WantedChange } from '../../contract/operator/changes.ts';
import { Checkbox, Segmented } from '../ui/choices.tsx';
import { DateTimeField, type Options, Select, TextArea, TextField } from '../ui/fields.tsx';
import { useKeptFields } from '../ui/kept-state.ts';
import { ChangeDialog, type ChangeDialogProps } from './changes.tsx';

type FormField<Values> = {
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
  /** Gets the focus when the dialog opens; by default the reason does. */
  readonly isFirst?: boolean;
  readonly isShort?: boolean;
  readonly isShown?: (values: Values) => boolean;
};

type Values<Name extends string> = Readonly<Record<Name, string>>;

export type ChangeFormProps<Name extends string> = Omit<ChangeDialogProps, 'want' | 'children'> & {
  readonly fields: Readonly<Record<Name, FormField<Values<NoInfer<Name>>>>>;
  /** The change, or what is missing in the fields. */
  readonly want: (values: Values<Name>) => WantedChange | string;
  readonly wordsOf?: (values: Values<Name>) => Partial<ChangeDialogProps>;
  readonly children?: ReactNode;
};

export function ChangeForm<Name extends string>({
  fields,
  want,
  wordsOf,
  children,
  ...dialog
}: ChangeFormProps<Name>) {
  const described = Object.entries(fields) as [Name, FormField<Values<Name>>][];
  const usual = described.map(([name, { value = '' }]) => [name, value]);
  const initial: Values<Name> = Object.fromEntries(usual);
  const { fields: kept, change } = useKeptFields(dialog.title, initial);
  const [secrets, setSecrets] = useState<Partial<typeof initial>>({});
  const values = { ...kept, ...secrets };
  return (
    <ChangeDialog {...dialog} {...wordsOf?.(values)} want={want(values)}>
      {children}
      <div className="form-fields">
        {described.map(
          ([name, field]) =>
            (field.isShown?.(values) ?? true) && (
              <div key={name} data-short={field.isShort ?? false}>
                <Control
                  field={field}
                  values={values}
                  value={values[name]}
                  onChange={(value) => {
                    const part = { [name]: value } as Partial<typeof initial>;
                    if (field.kind === 'secret') setSecrets({ ...secrets, ...part });
                    else change(part);
                  }}
                />
              </div>
            ),
        )}
      </div>
    </ChangeDialog>
  );
}

function Control<All>({
  field: { label, kind, hint, options = {}, maxLength, isFirst },
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
