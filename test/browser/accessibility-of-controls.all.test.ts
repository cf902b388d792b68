/** What axe does not measure: visible labels, target sizes and large text. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { DESKTOP, openTestBrowser, PHONE, type Visitor } from '../support/browser.ts';
import { answerCall, answerStatus, MEMBER } from '../support/browser-api.ts';
import { lookAtEach } from '../support/page-visits.ts';

const browser = openTestBrowser();

const MAIN_CONTROLS = '.button, .input:not([readonly]), .pill';
const LANDING = pagePaths.landing;
const INVITE = fillPath(pagePaths.invite, MEMBER.referral_code);
const STATUS = fillPath(pagePaths.status, MEMBER.id);

async function openPage({ page, open }: Visitor, path: string): Promise<void> {
  await answerStatus(page, { rewards_unlocked: ['A shirt'] });
  await answerCall(page, 'verifyReferral', {
    json: { valid: true, referrer_email: 'host@example.com' },
  });
  await open(path);
  await page.locator('.button').first().waitFor();
}

const findSmall = (page: Page, selector: string, minimum: number) =>
  page.locator(selector).evaluateAll(
    (elements, size) =>
      elements
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && (box.width < size || box.height < size))
        .map(
          ({ element, box }) => `${element.outerHTML.slice(0, 90)} ${box.width} x ${box.height}`,
        ),
    minimum,
  );

const findCut = (page: Page) =>
  page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
    // The wall of faces has no text, and goes under the scroll bar by design.
    document.querySelector<HTMLElement>('.faces')?.style.setProperty('margin', '0');
    const hasText = (element: Element) =>
      element.textContent?.trim() !== '' && !element.closest('.visually-hidden');
    return [...document.body.querySelectorAll<HTMLElement>('*:not(svg *, script)')]
      .filter((element) => hasText(element) && getComputedStyle(element).overflow !== 'visible')
      .filter(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1,
      )
      .map(({ outerHTML }) => outerHTML.slice(0, 90));
  });

const findCovering = (page: Page) =>
  page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
    const face = document.querySelector('.landing-mask, .invite-face')?.getBoundingClientRect();
    if (!face) throw new Error('The page has no face.');
    // The landing headline runs across the face by design.
    return [
      ...document.querySelectorAll(
        'main :is(p, h1, h2, label, input, .button, .badge):not(.landing-headline)',
      ),
    ]
      .map((element) => {
        const text = document.createRange();
        text.selectNodeContents(element);
        const box = element.matches('input, .button, .badge') ? element : text;
        return { element, box: box.getBoundingClientRect() };
      })
      .filter(({ box }) => box.width > 0 && box.left < face.right && face.left < box.right)
      .filter(({ box }) => box.top < face.bottom && face.top < box.bottom)
      .map(({ element }) => element.outerHTML.slice(0, 90));
  });

const readLabels = (page: Page) =>
  page.locator('input[type="email"]').evaluate((element: HTMLInputElement) =>
    [...(element.labels ?? [])].map((label) => ({
      text: label.innerText.toLowerCase(),
      isTall: label.offsetHeight >= 10,
    })),
  );

test('controls are labelled and large, music stops early, and large text is whole', async () => {
  const visitor = await browser.visit({ viewport: DESKTOP });
  const { page } = visitor;
  const states = [LANDING, INVITE, STATUS].map((path) => ({
    name: path,
    reach: () => openPage(visitor, path),
  }));
  const look = async ({ name }: { name: string }) => {
    const stops: (string | undefined)[] = [];
    for (let stop = 0; stop < 3; stop += 1) {
      await page.keyboard.press('Tab');
      stops.push(await page.evaluate(() => document.activeElement?.textContent?.trim()));
    }
    expect(stops, 'the first three tab stops').toContain('Music');
    if (name !== STATUS)
      await expect
        .poll(() => readLabels(page), { message: 'a label, not only a placeholder' })
        .toEqual([{ text: 'email', isTall: true }]);
    for (const viewport of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport);
      const message = `at ${viewport.width}`;
      await expect
        .poll(() => findSmall(page, 'a, button, input, summary, [role="button"]', 24), { message })
        .toEqual([]);
      await expect.poll(() => findSmall(page, MAIN_CONTROLS, 44), { message }).toEqual([]);
    }
    for (const { width, height } of [PHONE, DESKTOP]) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => findCut(page), { message: `cut off at ${width}` }).toEqual([]);
    }
    if (name === STATUS) return;
    for (const width of [768, 1024, DESKTOP.width, 1920]) {
      await page.setViewportSize({ width, height: DESKTOP.height });
      await expect.poll(() => findCovering(page), { message: `covering at ${width}` }).toEqual([]);
    }
  };
  await lookAtEach(visitor, states, look, { viewport: DESKTOP });
});
