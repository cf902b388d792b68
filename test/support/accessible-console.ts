/** Holds for the console in every state: no axe findings, and it fits its window. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { measureOverflow } from './accessible-page.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { loadAxe } from './load-axe.ts';
import { isFull } from './short-form.ts';

const SMALLEST = { width: 320, height: 640 };
const WINDOWS = isFull ? [SMALLEST, PHONE, DESKTOP] : [SMALLEST, DESKTOP];

/** How often each page was looked at. */
const looks = new WeakMap<Page, number>();

/**
 * Axe looks at all windows, or in the short form at one: first at the end that the page is nearer
 * to, then at the other, in turns. The page gets its window back, and its clock runs on. `scope`:
 * a selector, when only a part is in question.
 */
export async function expectAccessibleConsole(page: Page, scope = 'html'): Promise<void> {
  const before = page.viewportSize() ?? DESKTOP;
  const turn = looks.get(page) ?? 0;
  looks.set(page, turn + 1);
  const isPhone = before.width <= PHONE.width;
  const looked = isFull ? WINDOWS : WINDOWS.slice(isPhone === (turn % 2 === 0) ? 0 : 1).slice(0, 1);
  await loadAxe(page);
  const findings: string[] = [];
  for (const viewport of WINDOWS) {
    await page.setViewportSize(viewport);
    for (const textSize of ['100%', '200%'])
      await expect
        .poll(() => measureOverflow(page, textSize), {
          message: `sideways scrolling at ${viewport.width}, ${textSize} text`,
        })
        .toBeLessThanOrEqual(0);
    if (!looked.includes(viewport)) continue;
    const found = await page.evaluate(async (within) => {
      for (const animation of document.getAnimations()) {
        if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
      }
      const { violations } = await window.axe.run(within, { resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
    }, scope);
    findings.push(...found.map((finding) => `at ${viewport.width}: ${finding}`));
  }
  await page.setViewportSize(before);
  expect(findings).toEqual([]);
}
