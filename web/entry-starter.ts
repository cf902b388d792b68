/**
 * Stands inline in the head of every page, the same on all of them. What a page needs only once it is painted (its scripts, its
 * manifest) waits in a template: fetched earlier, it would hold up the page and its faces. It is put to work after the first
 * paint or at the visitor's first move, whichever comes first.
 */
const FIRST_MOVES = ['pointerdown', 'keydown', 'focusin'] as const;
/** For a browser that does not tell when it painted. */
const LONGEST_WAIT_MS = 1500;

function start(): void {
  for (const type of FIRST_MOVES) removeEventListener(type, start, true);
  const later = document.querySelector('template');
  if (later) document.head.append(later.content);
}

function startAfterPaint(): void {
  // A page in the background is not painted.
  setTimeout(start, document.visibilityState === 'hidden' ? 0 : LONGEST_WAIT_MS);
  new PerformanceObserver((paints) => {
    if (paints.getEntriesByName('first-contentful-paint').length > 0) start();
  }).observe({ type: 'paint', buffered: true });
}

for (const type of FIRST_MOVES) addEventListener(type, start, { capture: true, passive: true });
addEventListener('DOMContentLoaded', startAfterPaint);
