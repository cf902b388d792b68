/**
 * Where the toast stands. On a wide screen at the bottom, beside what is read. On a phone the answer to a form stands at the top,
 * as the keyboard may hide the bottom, and news at the bottom, so that the news row of the page stays in view. Wherever it
 * would cover a submit button, it stands on the other side.
 */
import { type RefObject, useLayoutEffect } from 'react';

const WIDE = '(width >= 62rem)';

export function useClearOfSubmit(
  viewport: RefObject<HTMLElement | null>,
  toast: { readonly id: number; readonly urgency: 'foreground' | 'background' } | null,
): void {
  const toastId = toast?.id ?? 0;
  const isNews = toast?.urgency === 'background';

  useLayoutEffect(() => {
    const element = viewport.current;
    if (!element || toastId === 0) return;
    function place(): void {
      if (!element) return;
      const isAtBottom = isNews || matchMedia(WIDE).matches;
      element.dataset.side = isAtBottom ? 'bottom' : 'top';
      const covered = [...document.querySelectorAll('button[type="submit"]')].some((button) =>
        isOverlapping(element.getBoundingClientRect(), button.getBoundingClientRect()),
      );
      if (covered) element.dataset.side = isAtBottom ? 'top' : 'bottom';
    }
    place();
    addEventListener('scroll', place, { passive: true });
    addEventListener('resize', place);
    return () => {
      removeEventListener('scroll', place);
      removeEventListener('resize', place);
    };
  }, [viewport, toastId, isNews]);
}

function isOverlapping(a: DOMRectReadOnly, b: DOMRectReadOnly): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
