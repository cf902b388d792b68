import type { ComponentPropsWithRef } from 'react';
import { Field } from './field.tsx';

export type Option = { readonly value: string; readonly label: string };

type SelectProps = Omit<ComponentPropsWithRef<'select'>, 'id' | 'onChange'> & {
  readonly label: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly isLabelHidden?: boolean;
};

/** The native element: phones show their own wheel, and keyboards type ahead. */
export function Select({
  label,
  options,
  onChange,
  hint,
  error,
  isLabelHidden,
  ...select
}: SelectProps) {
  return (
    <Field {...{ label, hint, error, isLabelHidden }}>
      {(control) => (
        <select
          {...select}
          {...control}
          className="input select"
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
