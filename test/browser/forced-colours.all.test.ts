import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { DESKTOP, openTestBrowser, type Visitor } from '../support/browser.ts';
import { answerCall, answerStatus, MEMBER } from '../support/browser-api.ts';
import { lookAtEach } from '../support/page-visits.ts';

const browser = openTestBrowser();

const PAGES = [
  pagePaths.landing,
  fillPath(pagePaths.invite, MEMBER.referral_code),
  fillPath(pagePaths.status, MEMBER.id),
];
const STATUS = fillPath(pagePaths.status, MEMBER.id);

async function open({ page, open }: Visitor, path: string): Promise<void> {
  await answerStatus(page, { position: 64, referral_count: 1, rewards_unlocked: ['A shirt'] });
  await answerCall(page, 'verifyReferral', {
    json: { valid: true, referrer_email: 'host@example.com' },
  });
  await page.emulateMedia({ forcedColors: 'active' });
  await open(path);
  await page.locator('.button').first().waitFor();
}

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

const readRing = (page: Page) =>
  page.evaluate(() => {
    const { outlineStyle, outlineColor } = getComputedStyle(
      document.activeElement ?? document.body,
    );
    return { outlineStyle, outlineColor };
  });

test('every control, card and badge keeps a border, and the focus a ring to be seen', async () => {
  const visitor = await browser.visit({ viewport: DESKTOP });
  const { page } = visitor;
  const states = PAGES.map((path) => ({ name: path, reach: () => open(visitor, path) }));
  const look = async () => {
    const canvas = await systemColour(page, 'Canvas');
    await expect.poll(() => findEdgeless(page, canvas)).toEqual([]);
    await page.keyboard.press('Tab');
    await expect
      .poll(() => readRing(page))
      .toEqual({
        outlineStyle: 'solid',
        outlineColor: await systemColour(page, 'Highlight'),
      });
  };
  await lookAtEach(visitor, states, look, { viewport: DESKTOP });
});

test('the position in the mask meter has a ground of its own, and the bar its value', async () => {
  const visitor = await browser.visit({ viewport: DESKTOP });
  const { page } = visitor;
  await open(visitor, STATUS);
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
