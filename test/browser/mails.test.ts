/** Mails in a real browser: as wide as panes and phones are, without pictures, in dark mode, and followed out of the list of kept ones. */
import { describe, expect, inject, test } from 'vitest';
import { devMailPaths } from '../../contract/dev-mail-paths.ts';
import { pagePaths } from '../../contract/paths.ts';
import { DESKTOP, openTestBrowser, waitUntilLive } from '../support/browser.ts';
import { joinLine } from '../support/browser-line.ts';

const browser = openTestBrowser();
/** A mail in its sandbox runs nothing, not even for a test that looks into it, and fetches no icon of the site. */
const BLOCKED = /Blocked script execution|NotSameOrigin/;
const SAMPLES = ['welcome', 'confirm', 'status-link', 'friends', 'tier', 'hundred-entered', 'hundred-left'];
const WIDTHS = [320, 390, 600, 1000];

describe.each(SAMPLES)('the mail %s', (sample) => {
  test.each([true, false])('fits every pane; with its picture: %j', async (hasPicture) => {
    const { page, context, allowNoise } = await browser.visit({ hasRunningClock: true });
    allowNoise(BLOCKED);
    if (!hasPicture) {
      await context.route('**/*.jpg', (route) => route.abort());
      allowNoise(/ERR_FAILED/);
    }
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(devMailPaths.sampleHtml(sample));
      const { scrollWidth, beyond, buttonHeight, headlineTop, pictureSize } = await page.evaluate(() => {
        const shown = [...document.querySelectorAll('body *')].map((element) => element.getBoundingClientRect());
        const picture = document.querySelector('img')?.getBoundingClientRect();
        return {
          scrollWidth: document.documentElement.scrollWidth,
          beyond: shown.filter((box) => box.width > 0 && (box.left < 0 || box.right > innerWidth)).length,
          buttonHeight: document.querySelector('td.ground-afterglow a')?.getBoundingClientRect().height,
          headlineTop: document.querySelector('h1')?.getBoundingClientRect().top,
          pictureSize: [picture?.width, picture?.height, document.images[0]?.naturalWidth],
        };
      });
      expect([width, scrollWidth, beyond]).toEqual([width, width, 0]);
      expect(buttonHeight).toBeGreaterThanOrEqual(44);
      expect(pictureSize).toEqual([202, 202, hasPicture ? 400 : 0]);
      // On a phone the face stands over the headline, in a pane beside it.
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

test('a kept mail is read in the list, and its button opens the status page in a tab', async () => {
  const member = await joinLine();
  const { page, context, allowNoise } = await browser.visit({ hasRunningClock: true, viewport: DESKTOP });
  allowNoise(BLOCKED);
  await expect
    .poll(async () => {
      await page.goto(devMailPaths.list());
      return await page.getByText(member.email).count();
    })
    .toBe(1);
  await page.locator('li', { hasText: member.email }).getByRole('link').click();
  const mail = page.frameLocator('iframe');
  const ghost = mail.getByRole('img');
  await expect.poll(() => ghost.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(400);
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    mail.getByRole('link', { name: 'See your place' }).click(),
  ]);
  await waitUntilLive(tab);
  expect(tab.url()).toBe(inject('siteUrl') + pagePaths.status(member.id));
});
