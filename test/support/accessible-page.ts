/** What every page must be in every state: without a finding of axe on phone and desktop, and never wider than its window, also with text of twice the size. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { DESKTOP, PHONE } from './browser.ts';
import { reviewedIncompletes } from './reviewed-incompletes.ts';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

type Mode = NonNullable<Parameters<Page['emulateMedia']>[0]>;

const SMALLEST = { width: 320, height: 640 };
const SMALL = { width: 360, height: 740 };

/** How a visitor's system can ask for a page. */
export const modes = {
  normal: { reducedMotion: 'no-preference', forcedColors: 'none' },
  'reduced motion': { reducedMotion: 'reduce', forcedColors: 'none' },
  'forced colours': { reducedMotion: 'reduce', forcedColors: 'active' },
} satisfies Record<string, Mode>;

/** The page is loaded once: only its window and what the system asks for change. */
export async function expectAccessiblePage(
  page: Page,
  asked: readonly (keyof typeof modes)[] = ['reduced motion'],
): Promise<void> {
  await page.evaluate(axe.source);
  await becomeComplete(page);
  const findings: string[] = [];
  for (const viewport of [SMALLEST, SMALL, PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    for (const textSize of ['100%', '200%']) {
      const overflow = await measureOverflow(page, textSize);
      expect(overflow, `sideways scrolling at ${viewport.width}, ${textSize} text`).toBeLessThanOrEqual(0);
    }
    if (viewport === SMALLEST || viewport === SMALL) continue;
    for (const mode of asked) {
      await page.emulateMedia(modes[mode]);
      await endTransitions(page);
      const found = await findFindings(page, mode === 'forced colours' ? ['color-contrast'] : []);
      if (mode === 'forced colours') found.push(...(await findUnforcedTexts(page)));
      findings.push(...found.map((finding) => `${mode} at ${viewport.width}: ${finding}`));
    }
  }
  expect(findings).toEqual([]);
}

/** By how many pixels the page is wider than its window with text of that size. */
function measureOverflow(page: Page, textSize: string): Promise<number> {
  return page.evaluate((size) => {
    const { documentElement: root } = document;
    root.style.fontSize = size;
    const overflow = root.scrollWidth - root.clientWidth;
    root.style.fontSize = '';
    return overflow;
  }, textSize);
}

/** The page's last part is fetched when it is idle. Until then it can still change under axe. */
async function becomeComplete(page: Page): Promise<void> {
  await page.waitForLoadState();
  if ((await page.locator('script').count()) === 0) return;
  const lastPart = page.locator('.toast-viewport');
  while ((await lastPart.count()) === 0) await page.clock.runFor(5);
}

/** A colour on its way to another one is nobody's contrast. What moves for ever is left as it is. */
async function endTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
    }
  });
}

/**
 * Violations, and what axe could not decide unless a person has. Axe waits for timers, so the frozen clock is moved on by as little
 * as it needs.
 */
async function findFindings(page: Page, rulesOff: readonly string[]): Promise<string[]> {
  let isDone = false;
  const run = page
    .evaluate(
      async ({ reviewed, rulesOff }) => {
        const { violations, incomplete } = await window.axe.run({
          resultTypes: ['violations', 'incomplete'],
          rules: Object.fromEntries(rulesOff.map((rule) => [rule, { enabled: false }])),
        });
        const isReviewed = (rule: string, target: string) =>
          reviewed.some((entry) => entry.rule === rule && document.querySelector(target)?.closest(entry.selector));
        return [...violations, ...incomplete].flatMap(({ id, nodes }) =>
          nodes
            .filter(
              ({ target }) => !(incomplete.some((result) => result.id === id) && isReviewed(id, String(target[0]))),
            )
            .map(({ html, target, failureSummary }) => `${id}: ${target[0]} ${html} ${failureSummary}`),
        );
      },
      { reviewed: reviewedIncompletes, rulesOff },
    )
    .finally(() => {
      isDone = true;
    });
  while (!isDone) {
    await page.clock.runFor(1);
    // Else so much of the page's time goes by on a busy machine that toasts end and pages redirect.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return run;
}

/** Axe does not know forced colours and compares the page's own text colour with the system's ground. What counts is that none is kept. */
function findUnforcedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const hasText = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== '');
    return [...document.body.querySelectorAll(':not(.visually-hidden, [aria-hidden="true"])')]
      .filter((element) => hasText(element) && getComputedStyle(element).forcedColorAdjust === 'none')
      .map((element) => `keeps its own colours: ${element.outerHTML}`);
  });
}
