import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { answerCall, answerStatus, MEMBER } from '../support/browser-api.ts';
import { newAddress, readStatus } from '../support/browser-line.ts';
import { readToast } from '../support/browser-toast.ts';

const browser = openTestBrowser();

/** Keys from the landing page to a copied link, without the letters of the address. */
const MAX_KEYS = 12;

const readFocused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return '';
    return (element.ariaLabel ?? element.innerText).trim().toLowerCase();
  });

test.each([
  ['phone', PHONE],
  ['desktop', DESKTOP],
])('on a %s a member joins and copies the link by keys alone', async (_name, viewport) => {
  const { page, open } = await browser.visit({
    viewport,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const email = newAddress();
  let keys = 0;
  async function press(key: string): Promise<void> {
    keys += 1;
    await page.keyboard.press(key);
  }
  async function tabTo(name: string): Promise<void> {
    while ((await readFocused(page)) !== name) await press('Tab');
  }
  await open(pagePaths.landing);
  await tabTo('join the waitlist');
  await press('Enter');
  await page.locator('input[type="email"]:focus').waitFor();
  await page.keyboard.type(email);
  await press('Enter');
  await page.waitForURL(/\/thank-you\//);
  await page.getByRole('heading', { name: /Ghost #\d+ in line/ }).waitFor();
  const { referral_code: code } = await readStatus(page.url().split('/').at(-1) ?? '');

  await tabTo('copy invite link');
  await press('Enter');
  await readToast(page, 'Link copied!');
  expect(keys, 'keys other than those that type the address').toBeLessThanOrEqual(MAX_KEYS);
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(inject('siteUrl') + fillPath(pagePaths.invite, code));
});

test('after a join the focus is on the new page', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page);
  await answerCall(page, 'join', { status: 201, json: MEMBER });
  await open(pagePaths.landing);
  await page.getByLabel('Email').fill(MEMBER.email);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/thank-you\//);
  await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
});
