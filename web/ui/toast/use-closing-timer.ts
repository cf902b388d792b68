import { type RefObject, useEffect, useEffectEvent } from 'react';

/** docs/behaviour.md 9 */
const TOAST_DURATION_MS = 5000;

/**
 * Closes a toast after its time, or by Escape. The time stands still while the pointer or the focus
 * is on the toast, and while the window is in the background.
 */
export function useClosingTimer(toast: RefObject<HTMLElement | null>, close: () => void): void {
  const closeNow = useEffectEvent(close);

  useEffect(() => {
    const element = toast.current;
    let timer = 0;
    let startedAt = 0;
    let remaining = TOAST_DURATION_MS;

    function pause(): void {
      if (timer === 0) return;
      clearTimeout(timer);
      timer = 0;
      remaining -= Date.now() - startedAt;
    }

    function resume(): void {
      if (timer !== 0) return;
      startedAt = Date.now();
      timer = window.setTimeout(closeNow, remaining);
    }

    function closeByKey({ key }: KeyboardEvent): void {
      if (key === 'Escape') closeNow();
    }

    resume();
    const ended = new AbortController();
    const options = { signal: ended.signal };
    for (const type of ['pointerenter', 'focusin']) element?.addEventListener(type, pause, options);
    for (const type of ['pointerleave', 'focusout'])
      element?.addEventListener(type, resume, options);
    addEventListener('blur', pause, options);
    addEventListener('focus', resume, options);
    document.addEventListener('keydown', closeByKey, options);
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [toast]);
}
