/** SPEC 2, 8 and 9: copying and sharing the invite link. */
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { pagePaths } from '../../contract/paths.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerStatus, MEMBER } from '../support/browser-api.ts';
import { readToast, toastOf } from '../support/browser-toast.ts';

const browser = openTestBrowser();

type Sharing = 'none' | 'works' | 'cancelled' | 'broken' | 'open';
type Device = { readonly clipboard: 'works' | 'refused'; readonly sharing: Sharing };

declare global {
  interface Window {
    shared: ShareData[];
  }
}

const copyButton = (page: Page) => page.getByRole('button', { name: 'Copy invite link' });
const shareButton = (page: Page) => page.getByRole('button', { name: 'Share & Climb the Ranks' });
const inviteLink = () => inject('siteUrl') + pagePaths.invite(MEMBER.referral_code);

/** Stands in for the device: headless Chromium has no share sheet and one shared clipboard. */
async function openStatus(device: Device) {
  const visitor = await browser.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  await visitor.context.addInitScript(({ clipboard, sharing }: Device) => {
    window.shared = [];
    if (clipboard === 'refused') {
      navigator.clipboard.writeText = () =>
        Promise.reject(new DOMException('refused', 'NotAllowedError'));
      document.execCommand = () => false;
    }
    const share = async (data?: ShareData): Promise<void> => {
      window.shared.push(data ?? {});
      if (sharing === 'cancelled') throw new DOMException('closed', 'AbortError');
      if (sharing === 'broken') throw new DOMException('no activation', 'NotAllowedError');
      if (sharing === 'open') await new Promise(() => undefined);
    };
    Object.defineProperty(navigator, 'share', {
      value: sharing === 'none' ? undefined : share,
      configurable: true,
    });
  }, device);
  await answerStatus(visitor.page);
  await visitor.open(pagePaths.status(MEMBER.id));
  await copyButton(visitor.page).waitFor();
  return visitor;
}

const clipboardText = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const LINK_COPIED = { title: 'Link copied!', description: null, isDestructive: false };
const COPY_FAILED = {
  title: 'Copy failed',
  description: 'Please manually copy the link below.',
  isDestructive: true,
};

test('copying puts the link on the clipboard, says so, and shows a tick for 2000 ms', async () => {
  const { page } = await openStatus({ clipboard: 'works', sharing: 'none' });
  const tick = copyButton(page).locator('.lucide-check');
  await expect.poll(() => tick.count()).toBe(0);
  await copyButton(page).click();
  await expect(readToast(page, 'Link copied!')).resolves.toEqual(LINK_COPIED);
  await expect.poll(() => clipboardText(page)).toBe(inviteLink());
  await page.clock.runFor(1999);
  await expect.poll(() => tick.count()).toBe(1);
  await page.clock.runFor(1);
  await tick.waitFor({ state: 'detached' });
});

test('a second copy restarts the 2000 ms of the tick', async () => {
  const { page } = await openStatus({ clipboard: 'works', sharing: 'none' });
  await copyButton(page).click();
  await readToast(page, 'Link copied!');
  await page.clock.runFor(1500);
  await toastOf(page).evaluate((element) => element.setAttribute('data-first', ''));
  await copyButton(page).click();
  await page.locator('.toast:not([data-first])').waitFor();
  await page.clock.runFor(1999);
  await expect.poll(() => copyButton(page).locator('.lucide-check').count()).toBe(1);
  await page.clock.runFor(1);
  await copyButton(page).locator('.lucide-check').waitFor({ state: 'detached' });
});

test('without clipboard permission the link is copied the old way', async () => {
  const { page, context } = await openStatus({ clipboard: 'works', sharing: 'none' });
  await page.evaluate(() => {
    navigator.clipboard.writeText = () =>
      Promise.reject(new DOMException('refused', 'NotAllowedError'));
  });
  await copyButton(page).click();
  await expect(readToast(page, 'Link copied!')).resolves.toEqual(LINK_COPIED);
  await expect.poll(() => clipboardText(page)).toBe(inviteLink());
  expect(context.pages()).toHaveLength(1);
  await expect.poll(() => page.locator('textarea').count()).toBe(0);
});

test('a copy that fails says so, shows no tick, and selects the link', async () => {
  const { page } = await openStatus({ clipboard: 'refused', sharing: 'none' });
  await copyButton(page).click();
  await expect(readToast(page, 'Copy failed')).resolves.toEqual(COPY_FAILED);
  await expect
    .poll(() => page.evaluate(() => document.getSelection()?.toString()))
    .toBe(inviteLink());
  await expect.poll(() => copyButton(page).locator('.lucide-check').count()).toBe(0);
});

test('sharing passes title, text and link to the device, without a toast', async () => {
  const { page } = await openStatus({ clipboard: 'works', sharing: 'works' });
  await shareButton(page).click();
  await page.locator('button:enabled', { hasText: 'Share & Climb' }).waitFor();
  await expect
    .poll(() => page.evaluate(() => window.shared))
    .toEqual([{ title: brand.copy.shareTitle, text: brand.copy.shareText, url: inviteLink() }]);
  await expect.poll(() => toastOf(page).count()).toBe(0);
});

test('while the share sheet is open the button is disabled', async () => {
  const { page } = await openStatus({ clipboard: 'works', sharing: 'open' });
  await shareButton(page).click();
  await page.locator('button:disabled', { hasText: 'Share & Climb' }).waitFor();
});

test('a share that the visitor cancels does nothing', async () => {
  const { page } = await openStatus({ clipboard: 'works', sharing: 'cancelled' });
  await shareButton(page).click();
  await page.locator('button:enabled', { hasText: 'Share & Climb' }).waitFor();
  await page.clock.runFor(1000);
  await expect.poll(() => page.evaluate(() => window.shared.length)).toBe(1);
  await expect.poll(() => toastOf(page).count()).toBe(0);
  await expect.poll(() => copyButton(page).locator('.lucide-check').count()).toBe(0);
});

test.each(['broken', 'none'] as const)(
  'a share that is %s copies the link instead',
  async (sharing) => {
    const { page } = await openStatus({ clipboard: 'works', sharing });
    await shareButton(page).click();
    await expect(readToast(page, 'Link copied!')).resolves.toEqual(LINK_COPIED);
    await expect.poll(() => clipboardText(page)).toBe(inviteLink());
    await copyButton(page).locator('.lucide-check').waitFor();
  },
);

test('where neither sharing nor copying works, the link is selected', async () => {
  const { page } = await openStatus({ clipboard: 'refused', sharing: 'broken' });
  await shareButton(page).click();
  await expect(readToast(page, 'Copy failed')).resolves.toEqual(COPY_FAILED);
  await expect
    .poll(() => page.evaluate(() => document.getSelection()?.toString()))
    .toBe(inviteLink());
});
