/** Holds for the console in every state: no axe findings, and it fits its window. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { measureOverflow } from './accessible-page.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { loadAxe } from './load-axe.ts';
import { isAll } from './test-form.ts';

const SMALLEST = { width: 320, height: 640 };
/** The phone has the layout of the smallest. */
const ENDS = [SMALLEST, DESKTOP];

/** Number of looks at each page so far. */
const rounds = new WeakMap<Page, number>();

/**
 * The long form looks at all windows; the short form at one end at every second look, beginning
 * with the end that the page is nearer to.
 */
function windowsFor(page: Page, { width }: typeof PHONE): readonly (typeof PHONE)[] {
  if (isAll) return [SMALLEST, PHONE, DESKTOP];
  const round = rounds.get(page) ?? (width <= PHONE.width ? 0 : 2);
  rounds.set(page, round + 1);
  return ENDS.filter((_end, index) => 2 * index === round % 4);
}

/**
 * The page gets its window back, and its clock runs. `scope`: a selector, when only a part is in
 * question. Frames have no origin, and axe cannot ask them.
 */
export async function expectAccessibleConsole(page: Page, scope = 'html'): Promise<void> {
  const before = page.viewportSize() ?? DESKTOP;
  const windows = windowsFor(page, before);
  if (windows.length === 0) return;
  await loadAxe(page);
  const findings: string[] = [];
  for (const viewport of windows) {
    await page.setViewportSize(viewport);
    for (const textSize of ['100%', '200%'])
      await expect
        .poll(() => measureOverflow(page, textSize), {
          message: `sideways scrolling at ${viewport.width}, ${textSize} text`,
        })
        .toBeLessThanOrEqual(0);
    const found = await page.evaluate(async (within) => {
      for (const animation of document.getAnimations()) {
        if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
      }
      const { violations } = await window.axe.run(within, {
        resultTypes: ['violations'],
        iframes: false,
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
    }, scope);
    findings.push(...found.map((finding) => `at ${viewport.width}: ${finding}`));
  }
  await page.setViewportSize(before);
  expect(findings).toEqual([]);
}
