/** What happens around a navigation within the site: the page's code first, then the change, in one view transition. */
import { flushSync } from 'react-dom';
import type { AroundNavHandler } from 'wouter';
import { loadPage } from './page-modules.ts';
import { readRoute } from './route.ts';

export const navigateWithTransition: AroundNavHandler = async (navigate, to, options) => {
  try {
    await loadPage(readRoute(new URL(to, location.href).pathname).page);
  } catch {
    // The chunk is gone (a newer build) or the network is: the server's own page answers either way.
    location.assign(to);
    return;
  }
  function change(): void {
    flushSync(() => navigate(to, options));
    scrollTo(0, 0);
  }
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (isStill || document.visibilityState === 'hidden' || !document.startViewTransition) return change();
  const transition = document.startViewTransition(change);
  // Skipped by the browser (a second navigation, a hidden tab): the page changes all the same.
  transition.ready.catch(() => undefined);
};
