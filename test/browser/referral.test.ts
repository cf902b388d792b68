/** docs/behaviour.md 2.1: what the landing page promises, and how long the code is kept. */
import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { fillPath, landingWithReferral, pagePaths } from '../../contract/paths.ts';
import { openTestBrowser } from '../support/browser.ts';
import { holdCall, MEMBER } from '../support/browser-api.ts';
import { joinLine, newAddress, readStatus } from '../support/browser-line.ts';
import { readToast, toastOf } from '../support/browser-toast.ts';
import { isAll } from '../support/test-form.ts';

const browser = openTestBrowser();

const SUBMIT = { name: 'SECURE YOUR SPOT' };

test('a referral is shown, outlives a click home, and its owner gets the credit', async () => {
  const inviter = await joinLine();
  const { page, open, becomeLive } = await browser.visit();
  await open(landingWithReferral(inviter.referral_code));
  await expect(readToast(page, 'Referral')).resolves.toEqual({
    title: 'Referral Detected!',
    description: null,
    isDestructive: false,
  });
  const banner = page.getByText('Referral Active - Better Position Guaranteed!', { exact: true });
  await banner.waitFor();
  await page.keyboard.press('Escape');
  await toastOf(page).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: brand.name }).click();
  await becomeLive();
  await banner.waitFor();
  await page.getByLabel('Email').fill(newAddress());
  await page.getByRole('button', SUBMIT).click();
  await page.waitForURL(/\/thank-you\//);
  await page.getByRole('heading', { name: /Ghost #\d+ in line/ }).waitFor();

  await open(fillPath(pagePaths.status, inviter.id));
  await page.locator('.referral-count').getByText('1', { exact: true }).first().waitFor();
  await expect.poll(async () => (await readStatus(inviter.id)).referral_count).toBe(1);
});

test.runIf(isAll)(
  'a code of nobody promises nothing, and is kept beyond a lost status page',
  async () => {
    const { page, context, open, becomeLive, expectNoise } = await browser.visit();
    expectNoise(/404/);
    await context.addInitScript((member) => {
      localStorage.setItem('waitlist.member_id', member.id);
      localStorage.setItem('waitlist.member', JSON.stringify(member));
    }, MEMBER);
    const isAnswered = page.waitForResponse('**/verify-referral/*');
    const path = landingWithReferral('ZZZZZZZZZZ');
    await open(path);
    await (await isAnswered).finished();
    await page.getByRole('link', { name: 'Welcome back' }).waitFor();
    await page.clock.runFor(900);
    await expect.poll(() => page.getByText('Referral Active').count()).toBe(0);
    await page.getByText('We do not know this invite code. You can join without it.').waitFor();
    await expect.poll(() => toastOf(page).count()).toBe(0);
    await page.getByRole('link', { name: 'Welcome back' }).click();
    await becomeLive();
    await page.getByRole('heading', { name: 'Ghost Not Found' }).waitFor();
    await page.getByRole('link', { name: 'Return to Waitlist' }).click();
    await page.waitForURL(`**${path}`);
    const join = await holdCall(page, 'join');
    await becomeLive();
    await page.getByLabel('Email').fill(MEMBER.email);
    await page.getByRole('button', SUBMIT).click();
    await expect
      .poll(() => join.seen.map(({ body }) => body))
      .toEqual([{ email: MEMBER.email, referred_by: 'ZZZZZZZZZZ' }]);
  },
);
