import { type ComponentPropsWithRef, type RefObject, useLayoutEffect, useRef } from 'react';

type TextFieldProps = Omit<ComponentPropsWithRef<'input'>, 'id'> & {
  readonly id: string;
  readonly label: string;
  /** Why the value was turned down; empty when there is nothing to say. */
  readonly message: string;
  /** What is being done with the value, in the place of a message; said to those who do not see it. */
  readonly progress?: string;
  readonly isInvalid: boolean;
};

/** The message's element is always there: a server without the script can fill it as well. */
export function TextField({ id, label, message, progress = '', isInvalid, ...input }: TextFieldProps) {
  const messageId = `${id}-message`;
  const messages = useRef<HTMLDivElement>(null);
  useMessageRoom(messages, message + progress);
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
      <div ref={messages} className="field-messages">
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

/**
 * Tells what stands around the field how high the message is, as `--message-room`: at once, before the browser can show the
 * page without it, and whenever its lines break anew. Counted from the height that the page came with: a message of the
 * served page has its place already.
 */
function useMessageRoom(element: RefObject<HTMLElement | null>, message: string): void {
  const servedHeight = useRef<number | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another message has another height.
  useLayoutEffect(() => {
    const shown = element.current;
    if (!shown) return;
    function tell(): void {
      const height = shown?.getBoundingClientRect().height ?? 0;
      servedHeight.current ??= height;
      shown?.parentElement?.parentElement?.style.setProperty('--message-room', `${height - servedHeight.current}px`);
    }
    tell();
    const observer = new ResizeObserver(tell);
    observer.observe(shown);
    return () => observer.disconnect();
  }, [element, message]);
}
