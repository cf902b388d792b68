/** docs/behaviour.md 2.2, 8 and 9: copying and sharing the invite link. */
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { fillPath, pagePaths } from '../../contract/paths.ts';
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
const inviteLink = () => inject('siteUrl') + fillPath(pagePaths.invite, MEMBER.referral_code);

/** Stands in for the device: headless Chromium has no share sheet and one shared clipboard. */
async function openStatus() {
  const visitor = await browser.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  await answerStatus(visitor.page);
  await visitor.open(fillPath(pagePaths.status, MEMBER.id));
  await copyButton(visitor.page).waitFor();
  return visitor;
}

function become(page: Page, device: Device): Promise<void> {
  return page.evaluate(({ clipboard, sharing }: Device) => {
    window.shared = [];
    getSelection()?.removeAllRanges();
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
}

const clipboardText = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const emptyClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.writeText('-'));
async function becomeQuiet(page: Page): Promise<void> {
  await page.clock.runFor(5000);
  await toastOf(page).waitFor({ state: 'detached' });
  await copyButton(page).locator('.lucide-check').waitFor({ state: 'detached' });
}

const LINK_COPIED = { title: 'Link copied!', description: null, isDestructive: false };
const COPY_FAILED = {
  title: 'Copy failed',
  description: 'Please manually copy the link below.',
  isDestructive: true,
};

test('copying puts the link on the clipboard, with a tick for 2000 ms after it', async () => {
  const { page, context } = await openStatus();
  const tick = copyButton(page).locator('.lucide-check');
  await expect.poll(() => tick.count()).toBe(0);
  await copyButton(page).click();
  await expect(readToast(page, 'Link copied!')).resolves.toEqual(LINK_COPIED);
  await expect.poll(() => clipboardText(page)).toBe(inviteLink());
  await page.clock.runFor(1999);
  await expect.poll(() => tick.count()).toBe(1);
  await page.clock.runFor(1);
  await tick.waitFor({ state: 'detached' });

  await copyButton(page).click();
  await tick.waitFor();
  await page.clock.runFor(1500);
  await toastOf(page).evaluate((element) => element.setAttribute('data-first', ''));
  await copyButton(page).click();
  await page.locator('.toast:not([data-first])').waitFor();
  await page.clock.runFor(1999);
  await expect.poll(() => tick.count()).toBe(1);
  await page.clock.runFor(1);
  await tick.waitFor({ state: 'detached' });
  await becomeQuiet(page);

  // Without permission for the clipboard, the link is copied by the deprecated command.
  await emptyClipboard(page);
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

test('where neither copying nor sharing works, it says so, and the link is selected', async () => {
  const { page } = await openStatus();
  const readSelected = () => page.evaluate(() => document.getSelection()?.toString());
  for (const [button, sharing] of [
    [copyButton(page), 'none'],
    [shareButton(page), 'broken'],
  ] as const) {
    await become(page, { clipboard: 'refused', sharing });
    await button.click();
    await expect(readToast(page, 'Copy failed'), sharing).resolves.toEqual(COPY_FAILED);
    await expect.poll(readSelected, { message: sharing }).toBe(inviteLink());
    await expect.poll(() => copyButton(page).locator('.lucide-check').count()).toBe(0);
    await becomeQuiet(page);
  }
});

test('sharing passes title, text and link to the device, or copies where it fails', async () => {
  const { page } = await openStatus();
  const isReady = () => page.locator('button:enabled', { hasText: 'Share & Climb' }).waitFor();
  const readShared = () => page.evaluate(() => window.shared);
  const shared = { title: brand.copy.shareTitle, text: brand.copy.shareText, url: inviteLink() };
  for (const sharing of ['works', 'cancelled'] as const) {
    await become(page, { clipboard: 'works', sharing });
    await shareButton(page).click();
    await expect.poll(readShared, { message: sharing }).toEqual([shared]);
    await isReady();
    await page.clock.runFor(1000);
    await expect.poll(() => toastOf(page).count(), { message: sharing }).toBe(0);
    await expect.poll(() => copyButton(page).locator('.lucide-check').count()).toBe(0);
  }
  for (const sharing of ['broken', 'none'] as const) {
    await emptyClipboard(page);
    await become(page, { clipboard: 'works', sharing });
    await shareButton(page).click();
    await expect(readToast(page, 'Link copied!'), sharing).resolves.toEqual(LINK_COPIED);
    await expect.poll(() => clipboardText(page), { message: sharing }).toBe(inviteLink());
    await copyButton(page).locator('.lucide-check').waitFor();
    await becomeQuiet(page);
  }
  await become(page, { clipboard: 'works', sharing: 'open' });
  await shareButton(page).click();
  await page.locator('button:disabled', { hasText: 'Share & Climb' }).waitFor();
  await page.clock.runFor(5_000);
  await isReady();
});
