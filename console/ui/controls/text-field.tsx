import type { ComponentPropsWithRef } from 'react';
import { Field } from './field.tsx';

type Words = {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly isLabelHidden?: boolean;
};

export function TextField({
  label,
  hint,
  error,
  isLabelHidden,
  ...input
}: Words & Omit<ComponentPropsWithRef<'input'>, 'id'>) {
  return (
    <Field {...{ label, hint, error, isLabelHidden }}>
      {(control) => <input type="text" {...input} {...control} className="input" />}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  error,
  isLabelHidden,
  ...input
}: Words & Omit<ComponentPropsWithRef<'textarea'>, 'id'>) {
  return (
    <Field {...{ label, hint, error, isLabelHidden }}>
      {(control) => <textarea rows={3} {...input} {...control} className="input text-area" />}
    </Field>
  );
}
