/**
 * Phones show it near the top, away from keyboard and thumb, wider screens near the bottom. Where
 * a phone has no place for it beside faces, numbers and controls, it is a line over the header.
 */
import { type RefObject, useLayoutEffect } from 'react';

const PHONE = '(width < 46rem), (height < 30rem)';

const GAP_PX = 8;

/** What it costs to lie over a part. The first two count on phones alone. */
const COSTS = {
  '.inline-art, .dot-number, .position-note': 60,
  '.landing-tagline, .landing-edition, .invite-text > p': 5,
  '.wordmark, .header-actions > *, .banner, .input, [type="submit"], .share-act': 100,
  'h1, form, .drop-notice, .next-step': 10,
  'main .button, .quiet-toggle': 20,
};

export function useToastPlacement(
  viewport: RefObject<HTMLElement | null>,
  toast: { readonly id: number } | null,
): void {
  const toastId = toast?.id ?? 0;

  useLayoutEffect(() => {
    const element = viewport.current;
    if (!element || toastId === 0) return;
    const { dataset } = element;
    let current: number | null = null;
    const place = () => {
      const shown = element.lastElementChild as HTMLElement | null;
      if (!shown || dataset.line) return;
      const isPhone = matchMedia(PHONE).matches;
      const area = element.getBoundingClientRect();
      const lowest = Math.min(area.bottom, visualViewport?.height ?? area.bottom);
      const height = shown.offsetHeight;
      const last = Math.max(0, lowest - area.top - height);
      const parts = findParts(area, isPhone);
      const costOf = (top: number) =>
        parts
          .filter((part) => part.top < top + height && top < part.bottom)
          .reduce((sum, { cost }) => sum + cost, 0);
      const preferred = isPhone ? 0 : last;
      const [[cost, best] = [0, preferred]] = [
        preferred,
        ...parts.flatMap((part) => [part.bottom + GAP_PX, part.top - GAP_PX - height]),
      ]
        .filter((top) => top >= 0 && top <= last)
        .map((top) => [costOf(top), top] as const)
        .sort(([a, one], [b, other]) => a - b || (isPhone ? one - other : other - one));
      // Further down the page, a line would lie over something else than the header.
      const isLine = isPhone && scrollY === 0 && cost > 0;
      // The toast stays while the page scrolls below it.
      if (!isLine && current !== null && current <= last && costOf(current) <= cost) return;
      current = best;
      element.style.setProperty('--toast-top', `${best}px`);
      if (isLine) dataset.line = 'yes';
    };
    const restart = () => {
      current = null;
      delete dataset.line;
      place();
    };
    restart();
    // The toast may mount after its viewport, and the page may grow after that.
    const arrival = new MutationObserver(place);
    arrival.observe(element, { childList: true });
    const growth = new ResizeObserver(place);
    growth.observe(document.body);
    addEventListener('scroll', place, { passive: true });
    addEventListener('resize', restart);
    return () => {
      arrival.disconnect();
      growth.disconnect();
      removeEventListener('scroll', place);
      removeEventListener('resize', restart);
    };
  }, [viewport, toastId]);
}

function findParts(
  area: DOMRectReadOnly,
  isPhone: boolean,
): { readonly top: number; readonly bottom: number; readonly cost: number }[] {
  return Object.entries(COSTS)
    .slice(isPhone ? 0 : 2)
    .flatMap(([selector, cost]) =>
      [...document.querySelectorAll(selector)]
        .map((part) => part.getBoundingClientRect())
        .filter(({ left, right }) => area.left < right && left < area.right)
        .map(({ top, bottom }) => ({ top: top - area.top, bottom: bottom - area.top, cost })),
    );
}
