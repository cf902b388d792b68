import { type RefObject, useLayoutEffect, useRef } from 'react';
import { brand } from '../../../brand/brand.ts';
import { type JoinFormOptions, useJoinForm } from '../../form/use-join-form.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';

export const EMAIL_FIELD_ID = 'email';

type JoinFormProps = JoinFormOptions & { readonly submitLabel: string };

export function JoinForm({ submitLabel, ...options }: JoinFormProps) {
  const { isJoining, isProving, message, isInvalid, formProps, referralProps, fieldProps } =
    useJoinForm(options);
  const form = useRef<HTMLFormElement>(null);
  const messages = useRef<HTMLDivElement>(null);
  const progress = isProving ? brand.copy.proofNote : '';
  useMessageGrowth(form, messages, message + progress);
  return (
    <form ref={form} className="stack join-form" {...formProps}>
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
      <FormNotes />
    </form>
  );
}

/** The styles move the button by `--message-growth`, so that a late answer shifts nothing below. */
function useMessageGrowth(
  form: RefObject<HTMLFormElement | null>,
  messages: RefObject<HTMLElement | null>,
  text: string,
): void {
  const initialHeight = useRef<number | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text has another height.
  useLayoutEffect(() => {
    const [styled, measured] = [form.current, messages.current];
    if (!styled || !measured) return;
    function update(): void {
      const height = measured?.getBoundingClientRect().height ?? 0;
      initialHeight.current ??= height;
      styled?.style.setProperty('--message-growth', `${height - initialHeight.current}px`);
    }
    update();
    // The lines may break differently later.
    const observer = new ResizeObserver(update);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [form, messages, text]);
}

export function FormNotes() {
  return (
    <>
      <p className="form-note">{`Limited edition, no restocks. ${brand.copy.formNote}`}</p>
      <p className="mail-note">{brand.copy.mailNote}</p>
    </>
  );
}
