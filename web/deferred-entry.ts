/** Fetching scripts would delay the first paint, so they wait for it or the first input. */
import { MAX_SILENCE_MS, MISSING_CODE, NOTICE_ID } from './missing-code.ts';

const FIRST_INPUTS = ['pointerdown', 'keydown', 'focusin'] as const;
/** Browsers that do not report their first paint wait so long. */
const MAX_WAIT_MS = 1500;

const RELOADED = 'reloaded';

let entry = '';

function start(): void {
  for (const type of FIRST_INPUTS) removeEventListener(type, start, true);
  const content = document.querySelector('template')?.content;
  const script = content?.querySelector('script');
  if (!content || !script) return;
  entry = script.getAttribute('src') as string;
  script.onerror = showMissing;
  document.head.append(content);
}

/** Shows that code is missing, and reloads a page that belongs to another build. */
function showMissing(): void {
  // Without a template the page was live, and broke.
  if (document.querySelector('meta[name=call]') || !document.querySelector('template')) {
    const notice = document.getElementById(NOTICE_ID) as HTMLElement;
    notice.hidden = false;
    (notice.lastChild as HTMLElement).onclick = () => location.reload();
  }
  // The history entry outlives the reload, so two builds behind one address do not reload for ever.
  if (history.state === RELOADED) return;
  fetch(location.href, { cache: 'no-store' })
    .then((page) => (page.ok ? page.text() : entry))
    .then((html) => {
      if (html.includes(entry)) return;
      history.replaceState(RELOADED, '');
      location.reload();
    })
    .catch(() => {});
}

function startAfterPaint(): void {
  // A background tab is never painted.
  setTimeout(start, document.visibilityState === 'hidden' ? 0 : MAX_WAIT_MS);
  new PerformanceObserver((paints) => {
    if (paints.getEntriesByName('first-contentful-paint').length > 0) start();
  }).observe({ type: 'paint', buffered: true });
}

function startCalls(): void {
  const calls: typeof startedCalls = {};
  globalThis.startedCalls = calls;
  for (const { content } of document.querySelectorAll<HTMLMetaElement>('meta[name=call]')) {
    const call = fetch(content);
    calls[content] = call;
    // The page reports the failure when it uses the answer.
    call.catch(() => {});
  }
}

function isSupported(): boolean {
  return (
    CSS.supports('width', '1cqi') &&
    CSS.supports('width', '1svh') &&
    matchMedia('(width>=0)').matches
  );
}

/** In an old browser the app would break half-way, so the page without script is shown. */
function showWithoutScript(): void {
  for (const element of document.querySelectorAll('noscript'))
    element.outerHTML = element.textContent;
  // Some browsers do not follow a refresh that a script has written.
  const refresh = document.querySelector<HTMLMetaElement>('meta[http-equiv=refresh]');
  if (refresh) location.replace(refresh.content.replace('0;url=', ''));
}

if (isSupported()) {
  startCalls();
  for (const type of FIRST_INPUTS) addEventListener(type, start, { capture: true, passive: true });
  addEventListener('DOMContentLoaded', startAfterPaint);
  addEventListener(MISSING_CODE, showMissing);
  setTimeout(() => document.querySelector('template') && showMissing(), MAX_SILENCE_MS);
} else addEventListener('DOMContentLoaded', showWithoutScript);
