/** Every state of every page: no axe violation on phone and desktop, no sideways scrolling from 320 px up. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { pageStates } from '../support/page-states.ts';

const browser = openTestBrowser();

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const SMALLEST = { width: 320, height: 640 };

test.each(pageStates)('$name is accessible and fits every width', async ({ reach }) => {
  const visitor = await browser.visit({ permissions: ['clipboard-write'] });
  const { page } = visitor;
  await reach(visitor);
  await page.evaluate(axe.source);
  for (const viewport of [SMALLEST, PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(overflow), `sideways scrolling at ${viewport.width}`).toBeLessThanOrEqual(0);
    if (viewport === SMALLEST) continue;
    expect(await findViolations(page)).toEqual([]);
  }
});

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
