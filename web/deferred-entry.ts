/**
 * Inlined in the head of every page. Scripts and the web manifest wait in a template until the
 * first paint or the visitor's first input: fetched earlier, they would delay the paint.
 */
const FIRST_INPUTS = ['pointerdown', 'keydown', 'focusin'] as const;
/** For browsers that do not report their first paint. */
const MAX_WAIT_MS = 1500;

function start(): void {
  for (const type of FIRST_INPUTS) removeEventListener(type, start, true);
  const deferred = document.querySelector('template');
  if (deferred) document.head.append(deferred.content);
}

function startAfterPaint(): void {
  // A background tab is never painted.
  setTimeout(start, document.visibilityState === 'hidden' ? 0 : MAX_WAIT_MS);
  new PerformanceObserver((paints) => {
    if (paints.getEntriesByName('first-contentful-paint').length > 0) start();
  }).observe({ type: 'paint', buffered: true });
}

for (const type of FIRST_INPUTS) addEventListener(type, start, { capture: true, passive: true });
addEventListener('DOMContentLoaded', startAfterPaint);
