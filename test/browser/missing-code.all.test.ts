/** The code of a page does not arrive: an update has replaced it, or the network is gone. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { MAX_SILENCE_MS } from '../../web/missing-code.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerCall, answerStatus, MEMBER } from '../support/browser-api.ts';

const browser = openTestBrowser();

const STATUS = fillPath(pagePaths.status, MEMBER.id);
const ENTRY = /\/assets\/entry-client-[^"]+\.js/g;

const noticeOf = (page: Page) => page.getByRole('alert').filter({ hasText: 'Error loading data' });
const isShown = (page: Page) => page.getByRole('button', { name: 'Copy invite link' }).waitFor();

/** Counts fetched documents; `isOld` decides which belong to another build. */
async function serveBuilds(page: Page, isOld: (count: number) => boolean): Promise<() => number> {
  let count = 0;
  await page.route(`**${STATUS}`, async (route) => {
    count += 1;
    const response = await route.fetch();
    const html = await response.text();
    const body = html.replace(ENTRY, `/assets/entry-client-of-build-${count}.js`);
    await route.fulfill({ response, body: isOld(count) ? body : html });
  });
  return () => count;
}

test('a page whose code is missing says so at once, and Retry loads it', async () => {
  const { page, expectNoise } = await browser.visit();
  expectNoise(/404/);
  await answerStatus(page);
  await page.route('**/assets/status-page-*.js', (route) => route.fulfill({ status: 404 }));
  await page.goto(STATUS);
  await noticeOf(page).getByText('Please refresh the page or try again later.').waitFor();
  await page.unroute('**/assets/status-page-*.js');
  await noticeOf(page).getByRole('button', { name: 'Retry' }).click();
  await isShown(page);
  await expect.poll(() => noticeOf(page).isVisible()).toBe(false);
});

test('code that is missing for 8 s raises a notice, and still starts when it arrives', async () => {
  const { page } = await browser.visit();
  await answerCall(page, 'verifyReferral', {
    json: { valid: true, referrer_email: MEMBER.email },
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/assets/entry-client-*.js', async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(fillPath(pagePaths.invite, MEMBER.referral_code), { waitUntil: 'commit' });
  await page.locator('script[src*="entry-client"]').waitFor({ state: 'attached' });
  await page.clock.runFor(MAX_SILENCE_MS - 1);
  await expect.poll(() => noticeOf(page).isVisible()).toBe(false);
  await page.clock.runFor(1);
  await noticeOf(page).waitFor();
  resolve();
  await page.getByRole('heading', { name: 'Exclusive Invite' }).waitFor();
  await expect.poll(() => noticeOf(page).isVisible()).toBe(false);
});

test('the late code of a member that hangs for 8 s raises a notice, and still draws', async () => {
  const { page } = await browser.visit();
  await answerStatus(page);
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route('**/assets/late-parts-*.js', async (route) => {
    asked.resolve();
    await promise;
    await route.continue();
  });
  await page.goto(STATUS);
  await asked.promise;
  await page.clock.runFor(MAX_SILENCE_MS);
  await noticeOf(page).waitFor();
  resolve();
  await isShown(page);
  await expect.poll(() => noticeOf(page).isVisible()).toBe(false);
});

test('a page of an older build loads itself once more, and never a second time', async () => {
  const updated = await browser.visit();
  updated.expectNoise(/404/);
  await answerStatus(updated.page);
  await serveBuilds(updated.page, (count) => count === 1);
  await updated.page.goto(STATUS);
  await isShown(updated.page);

  const torn = await browser.visit();
  torn.expectNoise(/404/);
  await answerStatus(torn.page);
  const countDocuments = await serveBuilds(torn.page, () => true);
  await torn.page.goto(STATUS);
  await expect.poll(countDocuments).toBe(3);
  await noticeOf(torn.page).waitFor();
  await torn.page.clock.runFor(MAX_SILENCE_MS);
  await noticeOf(torn.page).getByRole('button', { name: 'Retry' }).waitFor();
  await expect.poll(countDocuments).toBe(3);
});
