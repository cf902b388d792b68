import type { ComponentPropsWithRef } from 'react';

type TextFieldProps = Omit<ComponentPropsWithRef<'input'>, 'id'> & {
  readonly id: string;
  readonly label: string;
  /** Why the value was turned down; empty when there is nothing to say. */
  readonly message: string;
  readonly isInvalid: boolean;
};

/** The message's element is always there: a server without the script can fill it as well. */
export function TextField({ id, label, message, isInvalid, ...input }: TextFieldProps) {
  const messageId = `${id}-message`;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        className="input"
        aria-invalid={isInvalid || undefined}
        aria-describedby={isInvalid ? messageId : undefined}
      />
      <p id={messageId} className="field-message" data-form-message="">
        {message}
      </p>
    </div>
  );
}
