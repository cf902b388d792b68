import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerCall, answerStatus, MEMBER } from '../support/browser-api.ts';
import { readToast } from '../support/browser-toast.ts';

const browser = openTestBrowser();
const PHONE = { width: 390, height: 844 };
const REFRESH_MS = 30_100;
const PATH = fillPath(pagePaths.status, MEMBER.id);
const CHECKED = { referral_count: 2, held_referrals: 5 };

const button = (page: Page) => page.getByRole('button', { name: 'Ask us to look again' });
const card = (page: Page) => page.locator('.referral-card');

test('a member asks once, and reads that we are looking again', async () => {
  const { page, open } = await browser.visit({ viewport: PHONE });
  await answerStatus(page, CHECKED);
  const asked = { ...MEMBER, ...CHECKED, second_look: 'asked' as const };
  const calls = await answerCall(page, 'secondLook', { json: asked });
  await open(PATH);
  await page.getByText('2 friends joined, up to 5 more being checked', { exact: true }).waitFor();
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(PHONE.width);
  await expect
    .poll(() => card(page).innerText())
    .not.toMatch(/fraud|doubt|suspic|refus|network|address/i);
  await expectAccessiblePage(page);

  await button(page).click();
  const answer = page.getByText(
    '2 friends joined, up to 5 more being checked. We are looking again.',
  );
  await answer.waitFor();
  await expect.poll(() => button(page).count()).toBe(0);
  await expect
    .poll(() => answer.evaluate((element) => element === document.activeElement))
    .toBe(true);
  expect(calls).toHaveLength(1);
  await expectAccessiblePage(page);

  await answerStatus(page, { ...CHECKED, second_look: 'answered' });
  await page.clock.runFor(REFRESH_MS);
  await page.getByText('2 friends joined, up to 5 more being checked', { exact: true }).waitFor();
  await expect.poll(() => button(page).count()).toBe(0);
});

test('who asked, or whose friends all count, has no button; a failed call leaves it', async () => {
  const { page, open, expectNoise } = await browser.visit({ viewport: PHONE });
  await answerStatus(page, { ...CHECKED, second_look: 'asked' });
  await open(PATH);
  await page.getByText('We are looking again.').waitFor();
  await expect.poll(() => button(page).count()).toBe(0);

  await answerStatus(page, { referral_count: 2 });
  await open(PATH);
  await card(page).waitFor();
  await expect.poll(() => card(page).getByRole('button').count()).toBe(0);

  // A failed call is shown, and the button stays.
  expectNoise(/429/);
  await answerStatus(page, CHECKED);
  const detail = 'Too many requests from here. Please wait a little and try again.';
  await answerCall(page, 'secondLook', { status: 429, json: { detail } });
  await open(PATH);
  await button(page).click();
  await readToast(page, 'Something went wrong');
  await expect.poll(() => button(page).isEnabled()).toBe(true);
});
