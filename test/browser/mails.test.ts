/** Mails in a real browser: at several widths, without images, in dark mode, and from the list. */
import { describe, expect, inject, test } from 'vitest';
import { devMailPaths } from '../../contract/dev-mail-paths.ts';
import { pagePaths } from '../../contract/paths.ts';
import { keptMailKey } from '../../server/mail/dev/access.ts';
import { DESKTOP, openTestBrowser, waitUntilLive } from '../support/browser.ts';
import { joinLine } from '../support/browser-line.ts';

const browser = openTestBrowser();
/** The sandbox blocks scripts, even those of the test, and the site's icon. */
const BLOCKED = /Blocked script execution|NotSameOrigin/;
const SAMPLES = [
  'welcome',
  'confirm',
  'status-link',
  'friends',
  'tier',
  'offer',
  'offer-reminder',
  'pass',
  'offer-ended',
  'not-chosen',
  'reward',
  'reward-code',
  'top100-entered',
  'top100-left',
];
const WIDTHS = [320, 390, 600, 1000];

describe.each(SAMPLES)('the mail %s', (sample) => {
  test.each([true, false])('fits every width; with its image: %j', async (hasImage) => {
    const { page, context, allowNoise } = await browser.visit({ hasRunningClock: true });
    allowNoise(BLOCKED);
    if (!hasImage) {
      await context.route('**/*.jpg', (route) => route.abort());
      allowNoise(/ERR_FAILED/);
    }
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(devMailPaths.sampleHtml(sample));
      const { scrollWidth, beyond, buttonHeight, headlineTop, imageSize } = await page.evaluate(
        () => {
          const shown = [...document.querySelectorAll('body *')].map((element) =>
            element.getBoundingClientRect(),
          );
          const image = document.querySelector('img')?.getBoundingClientRect();
          return {
            scrollWidth: document.documentElement.scrollWidth,
            beyond: shown.filter((box) => box.width > 0 && (box.left < 0 || box.right > innerWidth))
              .length,
            buttonHeight: document.querySelector('td.ground-afterglow a')?.getBoundingClientRect()
              .height,
            headlineTop: document.querySelector('h1')?.getBoundingClientRect().top,
            imageSize: [image?.width, image?.height, document.images[0]?.naturalWidth],
          };
        },
      );
      expect([width, scrollWidth, beyond]).toEqual([width, width, 0]);
      expect(buttonHeight).toBeGreaterThanOrEqual(44);
      expect(imageSize).toEqual([202, 202, hasImage ? 400 : 0]);
      // The ghost is above the headline on a phone, beside it otherwise.
      expect((headlineTop ?? 0) > 250).toBe(width < 600);
    }
  });

  test('keeps its colours in dark mode', async () => {
    const [light, dark] = await Promise.all(
      (['light', 'dark'] as const).map(async (colorScheme) => {
        const { page, allowNoise } = await browser.visit({ hasRunningClock: true, colorScheme });
        allowNoise(BLOCKED);
        await page.goto(devMailPaths.sampleHtml(sample));
        return await page.evaluate(() =>
          [document.body, ...document.querySelectorAll('td, h1, span, p, a')].map((element) => {
            const { color, backgroundColor } = getComputedStyle(element);
            return `${color} on ${backgroundColor}`;
          }),
        );
      }),
    );
    expect(dark).toEqual(light);
    expect(new Set(dark).size).toBeGreaterThan(4);
  });
});

test('a kept mail opens from the list, and its button opens the status page in a tab', async () => {
  const member = await joinLine();
  const { page, context, allowNoise } = await browser.visit({
    hasRunningClock: true,
    viewport: DESKTOP,
  });
  allowNoise(BLOCKED);
  await page.goto(devMailPaths.withKey(keptMailKey(inject('secretKey'))));
  await expect
    .poll(async () => {
      await page.goto(devMailPaths.list());
      return await page.getByText(member.email).count();
    })
    .toBe(1);
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
  expect(tab.url()).toBe(inject('siteUrl') + pagePaths.status(member.id));
});
