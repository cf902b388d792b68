/** Mails in a real browser: at several widths, without images, in dark mode, and from the list. */
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { devMailPaths, devMailWithKey } from '../../contract/dev-mail-paths.ts';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { keptMailKey } from '../../server/notifications/dev/access.ts';
import { DESKTOP, openTestBrowser, waitUntilLive } from '../support/browser.ts';
import { joinLine } from '../support/browser-line.ts';
import { sampleNames } from '../support/sample-mails.ts';

const browser = openTestBrowser();
/** The sandbox blocks scripts, even of the test, and the site's icon. */
const BLOCKED = /Blocked script execution|NotSameOrigin/;
const WIDTHS = [320, 390, 600, 1000];

const measure = (page: Page) =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll('body *')].map((element) =>
      element.getBoundingClientRect(),
    );
    const image = document.querySelector('img')?.getBoundingClientRect();
    const headline = document.querySelector('h1')?.getBoundingClientRect();
    const button = document.querySelector('td.ground-afterglow a')?.getBoundingClientRect();
    return {
      scrollWidth: document.documentElement.scrollWidth,
      beyond: shown.filter((box) => box.width > 0 && (box.left < 0 || box.right > innerWidth))
        .length,
      isButtonTall: (button?.height ?? 0) >= 44,
      isGhostBeside: (headline?.top ?? 0) < (image?.bottom ?? 0),
      isImageSquare: (image?.width ?? 0) >= 100 && image?.width === image?.height,
      naturalWidth: document.images[0]?.naturalWidth,
    };
  });

const readColours = (page: Page) =>
  page.evaluate(() =>
    [document.body, ...document.querySelectorAll('td, h1, span, p, a')].map((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      return `${color} on ${backgroundColor}`;
    }),
  );

test.each([
  ['with images', true],
  ['without images', false],
])('every mail fits every width, in its own colours, %s', async (_how, hasImages) => {
  const { page, context, allowNoise } = await browser.visit({
    hasRunningClock: true,
    colorScheme: 'light',
  });
  allowNoise(BLOCKED);
  if (!hasImages) {
    await context.route('**/*.jpg', (route) => route.abort());
    allowNoise(/ERR_FAILED/);
  }
  for (const sample of sampleNames) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(fillPath(devMailPaths.sampleHtml, sample));
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await expect
        .poll(() => measure(page), { message: `${sample} at ${width}` })
        .toEqual({
          scrollWidth: width,
          beyond: 0,
          isButtonTall: true,
          isGhostBeside: true,
          isImageSquare: true,
          naturalWidth: hasImages ? 400 : 0,
        });
    }
    if (!hasImages) continue;
    const message = sample;
    await expect.poll(async () => new Set(await readColours(page)).size).toBeGreaterThan(4);
    const light = await readColours(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => readColours(page), { message }).toEqual(light);
  }
});

test('a kept mail opens from the list, and its button opens the status page in a tab', async () => {
  const member = await joinLine();
  const { page, context, allowNoise } = await browser.visit({
    hasRunningClock: true,
    viewport: DESKTOP,
  });
  allowNoise(BLOCKED);
  await page.goto(devMailWithKey(keptMailKey(inject('secretKey'))));
  const readList = async () => (await context.request.get(devMailPaths.list)).text();
  await expect.poll(readList).toContain(member.email);
  await page.goto(devMailPaths.list);
  await page.locator('li', { hasText: member.email }).getByRole('link').click();
  const mail = page.frameLocator('iframe');
  const ghost = mail.getByRole('img');
  await expect
    .poll(() => ghost.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(400);
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    mail.getByRole('link', { name: 'See your place' }).click(),
  ]);
  await waitUntilLive(tab);
  // The page removes the mark of a mailed link from the address.
  await expect
    .poll(() => tab.url())
    .toBe(inject('siteUrl') + fillPath(pagePaths.status, member.id));
});
