/** Phones show it near the top, away from keyboard and thumb, wider screens near the bottom. */
import { type RefObject, useLayoutEffect } from 'react';

const PHONE = '(width < 46rem), (height < 30rem)';

const GAP_PX = 8;

const CONTENT = [
  { selector: '.wordmark, .header-actions > *, .banner, [type="submit"], .share-act', weight: 100 },
  { selector: 'h1, form, .drop-notice, .next-step', weight: 10 },
  { selector: 'main .button, .quiet-toggle', weight: 20 },
];

export function useToastPlacement(
  viewport: RefObject<HTMLElement | null>,
  toast: { readonly id: number } | null,
): void {
  const toastId = toast?.id ?? 0;

  useLayoutEffect(() => {
    const element = viewport.current;
    if (!element || toastId === 0) return;
    let current: number | null = null;
    function place(): void {
      const shown = element?.lastElementChild;
      if (!element || !(shown instanceof HTMLElement)) return;
      const area = element.getBoundingClientRect();
      const lowest = Math.min(area.bottom, visualViewport?.height ?? area.bottom);
      const last = Math.max(0, lowest - area.top - shown.offsetHeight);
      const parts = findParts(area);
      const costOf = (top: number) =>
        parts
          .filter((part) => part.top < top + shown.offsetHeight && top < part.bottom)
          .reduce((sum, { weight }) => sum + weight, 0);
      const preferred = matchMedia(PHONE).matches ? 0 : last;
      const [best = preferred] = [
        preferred,
        ...parts.flatMap((part) => [part.bottom + GAP_PX, part.top - GAP_PX - shown.offsetHeight]),
      ]
        .filter((top) => top >= 0 && top <= last)
        .sort((a, b) => costOf(a) - costOf(b) || Math.abs(a - preferred) - Math.abs(b - preferred));
      // The toast stays while the page scrolls below it.
      if (current !== null && current <= last && costOf(current) <= costOf(best)) return;
      current = best;
      element.style.setProperty('--toast-top', `${best}px`);
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

function findParts(
  area: DOMRectReadOnly,
): { readonly top: number; readonly bottom: number; readonly weight: number }[] {
  return CONTENT.flatMap(({ selector, weight }) =>
    [...document.querySelectorAll(selector)]
      .map((part) => part.getBoundingClientRect())
      .filter(({ left, right }) => area.left < right && left < area.right)
      .map(({ top, bottom }) => ({ top: top - area.top, bottom: bottom - area.top, weight })),
  );
}
