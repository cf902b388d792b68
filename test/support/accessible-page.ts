/**
 * Holds for every page in every state: no axe findings, and it fits its window, at 200 % text too.
 */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { DESKTOP, PHONE } from './browser.ts';
import { loadAxe } from './load-axe.ts';
import { reviewedIncompletes } from './reviewed-incompletes.ts';
import { isAll } from './test-form.ts';

type Mode = NonNullable<Parameters<Page['emulateMedia']>[0]>;

const SMALLEST = { width: 320, height: 640 };
const SMALL = { width: 360, height: 740 };
/** Some frames, on a busy machine, too. */
const FRAMES_MS = 100;

/** Wishes of a visitor's system to a page. */
const modes = {
  normal: { reducedMotion: 'no-preference', forcedColors: 'none' },
  'reduced motion': { reducedMotion: 'reduce', forcedColors: 'none' },
  'forced colours': { reducedMotion: 'reduce', forcedColors: 'active' },
} satisfies Record<string, Mode>;

type Look = { readonly mode: keyof typeof modes; readonly viewport: typeof PHONE };

/** `npm run faults` tries each mode on phone and desktop; in `npm test` a state takes one look. */
const LOOKS: readonly Look[] = [
  { mode: 'normal', viewport: PHONE },
  { mode: 'forced colours', viewport: DESKTOP },
  { mode: 'reduced motion', viewport: DESKTOP },
  { mode: 'normal', viewport: DESKTOP },
  { mode: 'forced colours', viewport: PHONE },
  { mode: 'reduced motion', viewport: PHONE },
];

/** Looks take turns by name, so that a failure comes again. */
function chooseLooks(name: string): readonly Look[] {
  if (isAll) return LOOKS;
  const round = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);
  return LOOKS.slice(round % LOOKS.length).slice(0, 1);
}

/**
 * The page is loaded once: only its window and what the system asks for change. `name`: that of the
 * state, where a test has many.
 */
export async function expectAccessiblePage(
  page: Page,
  name = expect.getState().currentTestName ?? '',
): Promise<void> {
  await loadAxe(page);
  await becomeComplete(page);
  const looks = chooseLooks(name);
  const findings: string[] = [];
  for (const viewport of [SMALLEST, SMALL, PHONE, DESKTOP]) {
    const ownLooks = looks.filter((look) => look.viewport === viewport);
    if (!isAll && viewport !== SMALLEST && ownLooks.length === 0) continue;
    await page.setViewportSize(viewport);
    for (const textSize of ['100%', '200%']) {
      await expect
        .poll(() => measureOverflow(page, textSize), {
          message: `sideways scrolling at ${viewport.width}, ${textSize} text`,
        })
        .toBeLessThanOrEqual(0);
    }
    for (const { mode } of ownLooks) {
      await page.emulateMedia(modes[mode]);
      await becomeStill(page);
      const found = await findFindings(page, mode === 'forced colours' ? ['color-contrast'] : []);
      if (mode === 'forced colours') found.push(...(await findUnforcedTexts(page)));
      findings.push(...found.map((finding) => `${mode} at ${viewport.width}: ${finding}`));
    }
  }
  expect(findings, findings.join('\n')).toEqual([]);
}

/**
 * Styles of a page while it is measured. The wall of faces goes under the scroll bar by design. A
 * label of the console's bar takes one line, and a heading beside buttons has room for a word.
 */
const MEASURED_STYLES = `
  *, ::before, ::after { transition: none !important }
  .faces { margin-inline: 0 !important }
  .nav-item span { white-space: nowrap !important }
  .layer-head h2::before { display: block; width: 6em; content: '' }
`;

/** A page in any engine. */
type Measurable = {
  evaluate(
    run: (given: { size: string; styles: string }) => number,
    given: { size: string; styles: string },
  ): Promise<number>;
};

/**
 * Pixels by which the page, a sheet or a dialog is wider than its box with text of that size. A
 * transition, even of 0.01 ms, would show the text in its old size.
 */
export function measureOverflow(page: Measurable, textSize = '100%'): Promise<number> {
  return page.evaluate(
    ({ size, styles }) => {
      const { documentElement: root } = document;
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(styles);
      document.adoptedStyleSheets.push(sheet);
      // The visitors' pages clip at #root, so that nothing scrolls, however wide it is.
      const parts = '#root, .sheet-body, .dialog-body, .layer-head h2, .nav-item span';
      const boxes = [root, ...document.querySelectorAll(parts)];
      const measure = () => Math.max(...boxes.map((box) => box.scrollWidth - box.clientWidth));
      root.style.fontSize = size;
      const overflow = measure();
      root.style.fontSize = '';
      // The old size is laid out again before a transition to it could begin.
      measure();
      document.adoptedStyleSheets.pop();
      return overflow;
    },
    { size: textSize, styles: MEASURED_STYLES },
  );
}

/** The page loads its last part when it is idle. Until then it can change under axe. */
async function becomeComplete(page: Page): Promise<void> {
  await page.waitForLoadState();
  // The page of the draw has a script of its own, and no last part.
  const scripts = 'script:not([src*="/assets/draw-"])';
  if ((await page.locator(scripts).count()) === 0) return;
  const lastPart = page.locator('.toast-viewport');
  while ((await lastPart.count()) === 0) await page.clock.runFor(5);
}

/**
 * Waits for what follows a change of the window a frame or more later: the bar that comes when the
 * form is out of view, and the toasts that make room for it.
 */
async function becomeStill(page: Page): Promise<void> {
  // A message of the form comes in anew when motion is wanted again, some frames later.
  if ((await page.locator('.field-message:not(:empty)').count()) > 0) {
    await endTransitions(page);
    await new Promise((resolve) => setTimeout(resolve, FRAMES_MS));
  }
  let before = '';
  for (;;) {
    await endTransitions(page);
    const places = await page.evaluate(() =>
      [...document.querySelectorAll('.join-cue, .toast')]
        .map((element) => JSON.stringify(element.getBoundingClientRect()))
        .join(),
    );
    if (places === before) return;
    before = places;
    await new Promise((resolve) => setTimeout(resolve, FRAMES_MS));
  }
}

/** Contrast is measured after transitions. Endless animations go on. */
async function endTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        animation.finish();
    }
  });
}

/** Violations, and what axe could not decide unless a person has. */
function findFindings(page: Page, rulesOff: readonly string[]): Promise<string[]> {
  return page.evaluate(
    async ({ reviewed, rulesOff }) => {
      const { violations, incomplete } = await window.axe.run({
        resultTypes: ['violations', 'incomplete'],
        rules: Object.fromEntries(rulesOff.map((rule) => [rule, { enabled: false }])),
      });
      const isReviewed = (rule: string, target: string) =>
        reviewed.some(
          (entry) => entry.rule === rule && document.querySelector(target)?.closest(entry.selector),
        );
      return [...violations, ...incomplete].flatMap(({ id, nodes }) =>
        nodes
          .filter(
            ({ target }) =>
              !(incomplete.some((result) => result.id === id) && isReviewed(id, String(target[0]))),
          )
          .map(
            ({ html, target, failureSummary }) => `${id}: ${target[0]} ${html} ${failureSummary}`,
          ),
      );
    },
    { reviewed: reviewedIncompletes, rulesOff },
  );
}

/** Axe does not know forced colours: what counts is that no text keeps a colour of its own. */
function findUnforcedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const hasText = (element: Element) =>
      [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== '',
      );
    const spoken = ':not(.visually-hidden, [aria-hidden="true"], [aria-hidden="true"] *)';
    return [...document.body.querySelectorAll(spoken)]
      .filter(
        (element) => hasText(element) && getComputedStyle(element).forcedColorAdjust === 'none',
      )
      .map((element) => `keeps its own colours: ${element.outerHTML}`);
  });
}
