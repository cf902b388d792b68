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

/** Starts the calls that the server names in the head: data and scripts arrive together. */
function startCalls(): void {
  const calls: typeof startedCalls = {};
  globalThis.startedCalls = calls;
  for (const { content } of document.querySelectorAll<HTMLMetaElement>('meta[name=call]')) {
    const call = fetch(content);
    calls[content] = call;
    // The page reports a failure when it asks for the answer.
    call.catch(() => {});
  }
}

/** False in browsers older than scripts/build/oldest-browsers.ts: each lacks one of these. */
function isSupported(): boolean {
  return (
    CSS.supports('width', '1cqi') &&
    CSS.supports('width', '1svh') &&
    matchMedia('(width>=0)').matches
  );
}

/** In an old browser the app would break half-way: show what is there for no script at all. */
function showWithoutScript(): void {
  for (const element of document.querySelectorAll('noscript'))
    element.outerHTML = element.textContent;
  // Not every browser follows a refresh that a script has written.
  const refresh = document.querySelector<HTMLMetaElement>('meta[http-equiv=refresh]');
  if (refresh) location.replace(refresh.content.replace(/.*url=/, ''));
}

if (isSupported()) {
  startCalls();
  for (const type of FIRST_INPUTS) addEventListener(type, start, { capture: true, passive: true });
  addEventListener('DOMContentLoaded', startAfterPaint);
} else addEventListener('DOMContentLoaded', showWithoutScript);
