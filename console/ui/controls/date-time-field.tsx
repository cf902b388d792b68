import type { ComponentPropsWithRef } from 'react';
import { Field } from './field.tsx';

type DateTimeFieldProps = Omit<
  ComponentPropsWithRef<'input'>,
  'id' | 'type' | 'value' | 'onChange' | 'min' | 'max'
> & {
  readonly label: string;
  /** ISO 8601 in UTC; empty: none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly error?: string | undefined;
};

/** A moment in the time zone of the browser, to the minute. */
export function DateTimeField({
  label,
  value,
  onChange,
  hint,
  error,
  ...input
}: DateTimeFieldProps) {
  return (
    <Field {...{ label, hint, error }}>
      {(control) => (
        <input
          {...input}
          {...control}
          className="input date-time"
          type="datetime-local"
          value={toLocalInput(value)}
          onChange={(event) => onChange(fromLocalInput(event.currentTarget.value))}
        />
      )}
    </Field>
  );
}

/** From ISO 8601 to the browser's "2030-01-31T09:30" of its own time zone. */
export function toLocalInput(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** The inverse. Empty for an invalid time. */
export function fromLocalInput(local: string): string {
  const time = new Date(local);
  return local === '' || Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
