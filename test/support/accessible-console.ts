/** Holds for the console in every state: no axe findings, and it fits its window. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { measureOverflow } from './accessible-page.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { loadAxe } from './load-axe.ts';
import { isFull } from './short-form.ts';

const SMALLEST = { width: 320, height: 640 };
/** Both ends in the short form: the phone has the layout of the smallest. */
const LOOKED_AT = isFull ? [SMALLEST, PHONE, DESKTOP] : [SMALLEST, DESKTOP];

/** The clock of the page runs. `scope`: a selector, when only a part is in question. */
export async function expectAccessibleConsole(page: Page, scope = 'html'): Promise<void> {
  await loadAxe(page);
  const findings: string[] = [];
  for (const viewport of [SMALLEST, PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    for (const textSize of ['100%', '200%'])
      expect(
        await measureOverflow(page, textSize),
        `sideways scrolling at ${viewport.width}, ${textSize} text`,
      ).toBeLessThanOrEqual(0);
    if (!LOOKED_AT.includes(viewport)) continue;
    const found = await page.evaluate(async (within) => {
      for (const animation of document.getAnimations()) {
        if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
      }
      const { violations } = await window.axe.run(within);
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
    }, scope);
    findings.push(...found.map((finding) => `at ${viewport.width}: ${finding}`));
  }
  expect(findings).toEqual([]);
}
