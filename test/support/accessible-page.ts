/** What every page must be in every state: without an axe violation on phone and desktop, and never wider than its window. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { DESKTOP, PHONE } from './browser.ts';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const SMALLEST = { width: 320, height: 640 };

export async function expectAccessiblePage(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  for (const viewport of [SMALLEST, PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(overflow), `sideways scrolling at ${viewport.width}`).toBeLessThanOrEqual(0);
    if (viewport === SMALLEST) continue;
    expect(await findViolations(page)).toEqual([]);
  }
}

/** Axe waits for timers, so the frozen clock is moved on by as little as it needs. */
async function findViolations(page: Page): Promise<string[]> {
  let isDone = false;
  const run = page
    .evaluate(() => window.axe.run())
    .finally(() => {
      isDone = true;
    });
  while (!isDone) await page.clock.runFor(1);
  const { violations } = await run;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
