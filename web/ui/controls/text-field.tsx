import type { ComponentPropsWithRef, Ref } from 'react';

type TextFieldProps = Omit<ComponentPropsWithRef<'input'>, 'id'> & {
  readonly id: string;
  readonly label: string;
  readonly message: string;
  /** Announced while the value is processed, in place of a message. */
  readonly progress?: string;
  readonly isInvalid: boolean;
  readonly messagesRef?: Ref<HTMLDivElement>;
};

/** Renders an empty message, too, because the server fills it in without script. */
export function TextField({
  id,
  label,
  message,
  progress = '',
  isInvalid,
  messagesRef,
  ...input
}: TextFieldProps) {
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
      <div ref={messagesRef} className="field-messages">
        <p id={messageId} className="field-message" data-form-message="">
          {message}
        </p>
        <p className="field-message field-progress" role="status">
          {progress}
        </p>
      </div>
    </div>
  );
}
