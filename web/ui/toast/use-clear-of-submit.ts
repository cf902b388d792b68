/** Keeps the toast off the submit button: it stands at the top, and at the bottom while it would cover the button there. */
import { type RefObject, useLayoutEffect } from 'react';

export function useClearOfSubmit(viewport: RefObject<HTMLElement | null>, toastId: number): void {
  useLayoutEffect(() => {
    const element = viewport.current;
    if (!element || toastId === 0) return;
    function place(): void {
      if (!element) return;
      element.dataset.side = 'top';
      const covered = [...document.querySelectorAll('button[type="submit"]')].some((button) =>
        isOverlapping(element.getBoundingClientRect(), button.getBoundingClientRect()),
      );
      if (covered) element.dataset.side = 'bottom';
    }
    place();
    addEventListener('scroll', place, { passive: true });
    addEventListener('resize', place);
    return () => {
      removeEventListener('scroll', place);
      removeEventListener('resize', place);
    };
  }, [viewport, toastId]);
}

function isOverlapping(a: DOMRectReadOnly, b: DOMRectReadOnly): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
