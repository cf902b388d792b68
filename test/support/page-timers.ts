/** The timers of a page whose clock stands: a test moves the clock once they are set. */
import type { BrowserContext, Page } from 'playwright-core';

declare global {
  interface Window {
    /** Milliseconds of each timer that the page has set. */
    timers: unknown[];
  }
}

/** Call before the page opens. */
export async function recordTimers(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.timers = [];
    const { setTimeout } = window;
    window.setTimeout = ((run: () => void, delayMs?: number) => {
      window.timers.push(delayMs);
      return setTimeout(run, delayMs);
    }) as typeof window.setTimeout;
  });
}

/** Waits until the page has set at least that many timers of this length. */
export async function untilTimers(page: Page, delayMs: number, count = 1): Promise<void> {
  await page.waitForFunction(
    (wanted) => window.timers.filter((each) => each === wanted.delayMs).length >= wanted.count,
    { delayMs, count },
  );
}
