/** What axe does not measure on a page: keys, labels, sizes, large text and forced colours. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { DESKTOP, openTestBrowser, PHONE, type Visitor } from '../support/browser.ts';
import { answerCall, answerStatus, MEMBER } from '../support/browser-api.ts';
import { lookAtEach } from '../support/page-visits.ts';

const browser = openTestBrowser();

const MAIN_CONTROLS = '.button, .input:not([readonly]), .pill';
const STATUS = fillPath(pagePaths.status, MEMBER.id);
const HEADER = [brand.name.toLowerCase(), 'music'];

/** Pages, each with what the focus comes to first. */
const STOPS: Readonly<Record<string, readonly string[]>> = {
  [pagePaths.landing]: [
    brand.name.toLowerCase(),
    'join the waitlist',
    'music',
    'email',
    'secure your spot',
  ],
  [fillPath(pagePaths.invite, MEMBER.referral_code)]: [...HEADER, 'email', 'accept invite & join'],
  [STATUS]: [...HEADER, 'invite link', 'copy invite link', 'share & climb the ranks'],
};

async function openPage({ page, open }: Visitor, path: string): Promise<void> {
  await answerStatus(page, { position: 64, referral_count: 1, rewards_unlocked: ['A shirt'] });
  await answerCall(page, 'verifyReferral', {
    json: { valid: true, referrer_email: 'host@example.com' },
  });
  await open(path);
  await page.locator('.button').first().waitFor();
}

/** What has the focus, and its ring. */
const readFocus = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const label =
      element instanceof HTMLInputElement ? element.labels?.[0]?.innerText : element.innerText;
    const name = element.ariaLabel ?? label ?? '';
    return { name: name.trim().toLowerCase(), ring: `${outlineStyle} ${outlineWidth}` };
  });

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

const systemColour = (page: Page, name: string) =>
  page.evaluate((colour) => {
    const probe = document.createElement('i');
    probe.style.color = colour;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);

const findEdgeless = (page: Page, canvas: string) =>
  page.locator('.button, .pill, .input, .card, .badge').evaluateAll(
    (elements, ground) =>
      elements
        .filter((element) => {
          const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(element);
          return (
            borderTopStyle !== 'solid' ||
            Number.parseFloat(borderTopWidth) < 1 ||
            borderTopColor === ground
          );
        })
        .map((element) => element.outerHTML.slice(0, 80)),
    canvas,
  );

const readRingColour = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineColor);

test('on every page keys, labels, sizes, large text and forced colours are as they must', async () => {
  const visitor = await browser.visit({ viewport: DESKTOP });
  const { page } = visitor;
  const states = Object.keys(STOPS).map((path) => ({
    name: path,
    reach: () => openPage(visitor, path),
  }));
  const look = async ({ name }: { name: string }) => {
    for (const stop of STOPS[name] ?? []) {
      await page.keyboard.press('Tab');
      await expect.poll(() => readFocus(page)).toEqual({ name: stop, ring: 'solid 2px' });
    }
    await page.emulateMedia({ forcedColors: 'active' });
    const canvas = await systemColour(page, 'Canvas');
    await expect.poll(() => findEdgeless(page, canvas), { message: 'without edge' }).toEqual([]);
    const highlight = await systemColour(page, 'Highlight');
    await expect.poll(() => readRingColour(page), { message: 'its ring' }).toBe(highlight);
    await page.emulateMedia({ forcedColors: 'none' });
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
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      await expect
        .poll(() => findCut(page), { message: `cut off at ${viewport.width}` })
        .toEqual([]);
    }
    if (name === STATUS) return;
    for (const width of [768, 1024, DESKTOP.width, 1920]) {
      await page.setViewportSize({ width, height: DESKTOP.height });
      await expect.poll(() => findCovering(page), { message: `covering at ${width}` }).toEqual([]);
    }
  };
  await lookAtEach(visitor, states, look, { viewport: DESKTOP });
});

test('the position in the mask meter has a ground of its own, and the bar its value', async () => {
  const visitor = await browser.visit({ viewport: DESKTOP });
  const { page } = visitor;
  await page.emulateMedia({ forcedColors: 'active' });
  await openPage(visitor, STATUS);
  const fillOf = (selector: string) =>
    page
      .locator(`.mask-meter-25 ${selector}`)
      .first()
      .evaluate((element) => getComputedStyle(element).fill);
  await expect.poll(() => fillOf('.mask-meter-ground')).toBe(await systemColour(page, 'Highlight'));
  await expect.poll(() => fillOf('.mask-meter-cut')).toBe(await systemColour(page, 'Canvas'));
  await expect.poll(() => fillOf('.mask-meter-unlit')).toBe(await systemColour(page, 'CanvasText'));

  const { data, info } = await sharp(await page.locator('.progress').screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const middle = Math.floor(info.height / 2);
  const colourAt = (share: number) => {
    const start = (middle * info.width + Math.floor(info.width * share)) * 3;
    return data.subarray(start, start + 3).join();
  };
  expect(colourAt(0.1)).toBe(colourAt(0.25));
  expect(colourAt(0.6)).toBe(colourAt(0.9));
  expect(colourAt(0.1)).not.toBe(colourAt(0.9));
});
