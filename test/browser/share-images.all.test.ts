import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { openTestBrowser } from '../support/browser.ts';
import { joinLine } from '../support/browser-line.ts';
import { readToast, toastOf } from '../support/browser-toast.ts';

const browser = openTestBrowser();

type Sheet = 'none' | 'links only' | 'works' | 'cancelled' | 'broken';
type SharedPicture = { name: string; type: string; bytes: number };

declare global {
  interface Window {
    sharedPictures: { url: string | undefined; files: SharedPicture[] }[];
  }
}

let member: Member;
beforeAll(async () => {
  member = await joinLine();
});

/** Stands in for the device: headless Chromium has no share sheet. */
async function openImages(sheet: Sheet) {
  const visitor = await browser.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  await visitor.context.addInitScript((kind: Sheet) => {
    window.sharedPictures = [];
    const share = async ({ url, files = [] }: ShareData = {}): Promise<void> => {
      window.sharedPictures.push({
        url,
        files: files.map(({ name, type, size }) => ({ name, type, bytes: size })),
      });
      if (kind === 'cancelled') throw new DOMException('closed', 'AbortError');
      if (kind === 'broken') throw new DOMException('no activation', 'NotAllowedError');
    };
    const set = (name: string, value: unknown) =>
      Object.defineProperty(navigator, name, { value, configurable: true });
    set('share', kind === 'none' ? undefined : share);
    set(
      'canShare',
      kind === 'none' ? undefined : ({ files }: ShareData) => kind !== 'links only' || !files,
    );
  }, sheet);
  await visitor.open(fillPath(pagePaths.status, member.id));
  await visitor.page.getByText('More ways to share').click();
  return {
    ...visitor,
    inviteLink: inject('siteUrl') + fillPath(pagePaths.invite, member.referral_code),
  };
}

const image = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

/** A busy machine may miss the deadline of an image, which is cached once drawn. */
async function untilDrawn(page: Page, name: string): Promise<Locator> {
  const link = image(page, name);
  const path = async () => (await link.getAttribute('href')) ?? '';
  await expect.poll(async () => (await page.request.get(await path())).status()).toBe(200);
  return link;
}

test('the QR code is shown on demand; each app gets the link, and no site this page', async () => {
  const { page, inviteLink } = await openImages('none');
  const code = page.getByRole('img', { name: 'QR code of your invite link' });
  const show = page.getByRole('button', { name: 'Show QR code' });
  await show.waitFor();
  await expect.poll(() => code.count()).toBe(0);
  await show.click();
  await expect
    .poll(() => code.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Hide QR code' }).click();
  await expect.poll(() => code.count()).toBe(0);

  const links = page.getByRole('list', { name: 'Send by' }).getByRole('link');
  await expect.poll(() => links.count()).toBe(6);
  const apps = await links.evaluateAll((all) =>
    (all as HTMLAnchorElement[]).map(({ href, rel }) => ({ href: decodeURIComponent(href), rel })),
  );
  for (const { href, rel } of apps) {
    expect(href).toContain(`${inviteLink}?via=`);
    expect(rel).toBe(href.startsWith('https:') ? 'noreferrer' : '');
  }
});

test.each(['none', 'links only'] as const)(
  'with the share sheet "%s" the images are saved',
  async (sheet) => {
    const { page } = await openImages(sheet);
    await page.getByRole('heading', { name: 'Save image' }).waitFor();
    for (const name of ['Wide', 'Square', 'Save my story']) {
      const link = await untilDrawn(page, name);
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      expect(download.suggestedFilename()).toMatch(/^[a-z-]+-(wide|square|tall)\.jpg$/);
    }
  },
);

test('a share sheet that takes pictures gets the image with title, text and link', async () => {
  const { page, inviteLink } = await openImages('works');
  await page.getByRole('heading', { name: 'Share image' }).waitFor();
  await (await untilDrawn(page, 'Share my story')).click();
  await expect.poll(() => page.evaluate(() => window.sharedPictures.length)).toBe(1);
  const readShared = async () => (await page.evaluate(() => window.sharedPictures))[0];
  await expect.poll(readShared).toMatchObject({ url: inviteLink, files: [{ type: 'image/jpeg' }] });
  await expect.poll(async () => (await readShared())?.files[0]?.bytes).toBeGreaterThan(10_000);
  await expect.poll(() => toastOf(page).count()).toBe(0);
});

test('a share sheet that is closed does nothing, and one that fails copies the link', async () => {
  const cancelled = await openImages('cancelled');
  await (await untilDrawn(cancelled.page, 'Square')).click();
  await expect.poll(() => cancelled.page.evaluate(() => window.sharedPictures.length)).toBe(1);
  await expect.poll(() => toastOf(cancelled.page).count()).toBe(0);
  const broken = await openImages('broken');
  await (await untilDrawn(broken.page, 'Square')).click();
  await readToast(broken.page, 'Link copied!');
  await expect
    .poll(() => broken.page.evaluate(() => navigator.clipboard.readText()))
    .toBe(broken.inviteLink);
});

test('an image that cannot be fetched leaves the share button working', async () => {
  const { page, inviteLink, expectNoise } = await openImages('works');
  await page.route('**/share/*.jpg', (route) =>
    route.fulfill({ status: 503, json: { detail: 'busy' } }),
  );
  expectNoise(/503/);
  await image(page, 'Wide').hover();
  await page.getByRole('button', { name: 'Share & Climb the Ranks' }).click();
  await expect
    .poll(() => page.evaluate(() => window.sharedPictures))
    .toEqual([{ url: inviteLink, files: [] }]);
});
