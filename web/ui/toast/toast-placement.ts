/**
 * Top or bottom. Phones: the top, over the header, away from keyboard, thumb and the bar that
 * joins. Wider screens: the bottom. The other side where that covers less of the content.
 */
import { type RefObject, useLayoutEffect } from 'react';

/** Upright or on its side. */
const PHONE = '(width < 46rem), (height < 30rem)';

/** What to keep in view. */
const CONTENT = [
  { selector: 'h1, form', weight: 10 },
  { selector: 'main .button, .quiet-toggle', weight: 1 },
];

type Side = 'top' | 'bottom';

export function useToastPlacement(
  viewport: RefObject<HTMLElement | null>,
  toast: { readonly id: number } | null,
): void {
  const toastId = toast?.id ?? 0;

  useLayoutEffect(() => {
    const element = viewport.current;
    if (!element || toastId === 0) return;
    let side: Side = matchMedia(PHONE).matches ? 'top' : 'bottom';
    function weigh(candidate: Side): number {
      if (!element) return 0;
      element.dataset.side = candidate;
      const shown = element.lastElementChild;
      return shown ? weighCovered(shown.getBoundingClientRect()) : 0;
    }
    function place(): void {
      const wanted = weigh(side);
      const other = side === 'top' ? 'bottom' : 'top';
      if (weigh(other) < wanted) side = other;
      else element?.setAttribute('data-side', side);
    }
    place();
    // The toast may mount after its viewport, and the page may grow after that.
    const arrival = new MutationObserver(place);
    arrival.observe(element, { childList: true });
    const growth = new ResizeObserver(place);
    growth.observe(document.body);
    addEventListener('scroll', place, { passive: true });
    addEventListener('resize', place);
    return () => {
      arrival.disconnect();
      growth.disconnect();
      removeEventListener('scroll', place);
      removeEventListener('resize', place);
    };
  }, [viewport, toastId]);
}

function weighCovered(box: DOMRectReadOnly): number {
  let sum = 0;
  for (const { selector, weight } of CONTENT) {
    for (const part of document.querySelectorAll(selector)) {
      if (isOverlapping(box, part.getBoundingClientRect())) sum += weight;
    }
  }
  return sum;
}

function isOverlapping(a: DOMRectReadOnly, b: DOMRectReadOnly): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
