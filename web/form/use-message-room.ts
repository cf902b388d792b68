import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Keeps `--message-room` of the form at the height by which its messages have grown. The styles
 * move the button by it, so that a late answer shifts nothing below the form.
 */
export function useMessageRoom(
  form: RefObject<HTMLFormElement | null>,
  messages: RefObject<HTMLElement | null>,
  text: string,
): void {
  /** A message of the served page already has its place. */
  const initialHeight = useRef<number | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text has another height.
  useLayoutEffect(() => {
    const [styled, measured] = [form.current, messages.current];
    if (!styled || !measured) return;
    function update(): void {
      const height = measured?.getBoundingClientRect().height ?? 0;
      initialHeight.current ??= height;
      styled?.style.setProperty('--message-room', `${height - initialHeight.current}px`);
    }
    update();
    // Later its lines may break differently.
    const observer = new ResizeObserver(update);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [form, messages, text]);
}
