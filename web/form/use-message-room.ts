import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps `--message-room` of the form at the height by which its messages have grown. The styles
 * move the button by it, so that a late answer shifts nothing below the form.
 * `firstText` is the text of the messages in the first render.
 */
export function useMessageRoom(
  form: RefObject<HTMLFormElement | null>,
  messages: RefObject<HTMLElement | null>,
  firstText: string,
): void {
  /** A message of the served page already has its place. */
  const initialHeight = useRef<number | null>(firstText === '' ? 0 : null);

  useEffect(() => {
    const [styled, measured] = [form.current, messages.current];
    if (!styled || !measured) return;
    let room = 0;
    // Called between layout and paint: nothing is laid out for the measurement alone.
    const observer = new ResizeObserver(() => {
      const { height } = measured.getBoundingClientRect();
      initialHeight.current ??= height;
      if (height - initialHeight.current === room) return;
      room = height - initialHeight.current;
      styled.style.setProperty('--message-room', `${room}px`);
    });
    observer.observe(measured);
    return () => observer.disconnect();
  }, [form, messages]);
}
