import { flushSync } from 'react-dom';
import { brand } from '../brand/brand.ts';
import { quietMode } from './browser/quiet-mode.ts';
import type { PageName } from './route.ts';

const { landingTitle, inviteTitle, notFoundTitle } = brand.copy;

/** The titles that the server writes when it serves these pages. */
const titles: Readonly<Record<PageName, string>> = {
  landing: landingTitle,
  status: landingTitle,
  invite: inviteTitle,
  'not-found': notFoundTitle,
};

export function changePage(page: PageName, render: () => void): void {
  function change(): void {
    flushSync(render);
    document.title = titles[page];
    scrollTo(0, 0);
    focusHeading();
  }
  const isAnimated =
    quietMode.getState() === 'off' &&
    document.visibilityState === 'visible' &&
    'startViewTransition' in document;
  // Rejects when the browser skips the animation; the page changes all the same.
  if (isAnimated) document.startViewTransition(change).ready.catch(() => undefined);
  else change();
}

/** Follows the heading: a loading page replaces its first one. */
function focusHeading(): void {
  const heading = document.querySelector('h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  const observer = new MutationObserver(() => {
    if (heading.isConnected) return;
    observer.disconnect();
    if (document.activeElement === document.body) focusHeading();
  });
  observer.observe(document.body, { childList: true, subtree: true });
}
