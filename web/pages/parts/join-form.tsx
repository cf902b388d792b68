import { type ReactNode, useRef } from 'react';
import { brand } from '../../../brand/brand.ts';
import { type JoinFormOptions, useJoinForm } from '../../form/use-join-form.ts';
import { useMessageRoom } from '../../form/use-message-room.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';

export const EMAIL_FIELD_ID = 'email';

type JoinFormProps = JoinFormOptions & {
  readonly submitLabel: string;
  /** Shown under the button. */
  readonly children?: ReactNode;
};

export function JoinForm({ submitLabel, children, ...options }: JoinFormProps) {
  const { isJoining, isProving, message, isInvalid, formProps, referralProps, fieldProps } =
    useJoinForm(options);
  const form = useRef<HTMLFormElement>(null);
  const messages = useRef<HTMLDivElement>(null);
  const progress = isProving ? brand.copy.proofNote : '';
  useMessageRoom(form, messages, message + progress);
  return (
    <form ref={form} className="join-form" {...formProps}>
      <input {...referralProps} />
      <TextField
        id={EMAIL_FIELD_ID}
        label="Email"
        placeholder="you@domain.com"
        message={message}
        progress={progress}
        isInvalid={isInvalid}
        messagesRef={messages}
        {...fieldProps}
      />
      <Button type="submit" isBusy={isJoining}>
        {isJoining ? 'JOINING...' : submitLabel}
      </Button>
      {children}
    </form>
  );
}
