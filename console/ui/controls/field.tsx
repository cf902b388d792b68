import { type ReactNode, useId } from 'react';

type FieldProps = {
  readonly label: string;
  /** Stays in view, below the control. */
  readonly hint?: string | undefined;
  /** Why the value was refused. */
  readonly error?: string | undefined;
  readonly isLabelHidden?: boolean | undefined;
  readonly children: (control: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
  }) => ReactNode;
};

/** Label, control, hint and error of any field. */
export function Field({ label, hint, error, isLabelHidden = false, children }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label className={isLabelHidden ? 'visually-hidden' : 'field-label'} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      <p id={`${id}-error`} className="field-error" role="alert">
        {error}
      </p>
    </div>
  );
}
