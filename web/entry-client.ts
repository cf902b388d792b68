/**
 * The only script a page names. Small on purpose: the page is painted first, and everything else, already preloaded by the
 * page's head, is run after that or at the visitor's first move, whichever comes first.
 */
const FIRST_MOVES = ['pointerdown', 'keydown', 'focusin'] as const;

let isStarted = false;

async function start(): Promise<void> {
  if (isStarted) return;
  isStarted = true;
  for (const type of FIRST_MOVES) removeEventListener(type, start, true);
  const { hydrate } = await import('./hydrate.tsx');
  await hydrate();
}

for (const type of FIRST_MOVES) addEventListener(type, start, { capture: true, passive: true });
if (document.visibilityState === 'hidden') setTimeout(start);
else requestAnimationFrame(() => setTimeout(start));
