/** Rarer ways into and out of an invite. */
import { expect, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { UNKNOWN_CODE } from '../../contract/plain-invite.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerCall, holdCall, stopAnswering } from '../support/browser-api.ts';
import { joinLine } from '../support/browser-line.ts';

const browser = openTestBrowser();

const UNKNOWN = fillPath(pagePaths.invite, 'ZZZZZZZZZZ');

test('the code of the path is sent as the referral', async () => {
  const { page, open } = await browser.visit();
  await answerCall(page, 'verifyReferral', {
    json: { valid: true, referrer_email: 'host@example.com' },
  });
  const join = await holdCall(page, 'join');
  await open(fillPath(pagePaths.invite, 'GH05T1GH05'));
  await page.getByLabel('Email').fill('someone@example.com');
  await page.getByRole('button', { name: 'Accept Invite & Join' }).click();
  await expect.poll(() => join.seen.length).toBe(1);
  expect(join.seen.map(({ body }) => body)).toEqual([
    { email: 'someone@example.com', referred_by: 'GH05T1GH05' },
  ]);
});

test('the way from a code that the server does not have promises nothing', async () => {
  const { page, open, expectNoise } = await browser.visit();
  expectNoise(/404/);
  const calls = await answerCall(page, 'verifyReferral', { status: 404, json: { detail: 'no' } });
  await open(UNKNOWN);
  await page.getByRole('link', { name: 'Join Regular Waitlist' }).click();
  await page.getByRole('button', { name: 'SECURE YOUR SPOT' }).waitFor();
  await expect.poll(() => calls.length).toBe(2);
  await expect.poll(() => page.getByText('Referral Active').count()).toBe(0);
});

test('the landing page says why an invite led there, and promises nothing', async () => {
  const { page, open } = await browser.visit();
  await open(UNKNOWN);
  await page.locator('h1:focus', { hasText: 'Invalid Invite' }).waitFor();
  await page.clock.runFor(3000);
  await page.waitForURL((url) => url.pathname === pagePaths.landing);
  await page.getByRole('status').getByText(UNKNOWN_CODE).waitFor();
  await expect.poll(() => page.getByText('Referral Active').count()).toBe(0);
});

test.each(['/invite/%E0%A4%A', `/invite/${'Z'.repeat(400)}`])('%s is invalid', async (path) => {
  const { page, open } = await browser.visit();
  await open(path);
  await page.getByRole('heading', { name: 'Invalid Invite' }).waitFor();
});

test('an invite that could not be verified can be tried again, and its code is kept', async () => {
  const inviter = await joinLine();
  const path = fillPath(pagePaths.invite, inviter.referral_code);
  const { page, open, expectNoise } = await browser.visit();
  expectNoise(/500/);
  await answerCall(page, 'verifyReferral', { status: 500, text: '' });
  await open(path);
  await page.locator('h1:focus', { hasText: 'Check failed' }).waitFor();
  stopAnswering(page, 'verifyReferral');
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('heading', { name: 'Exclusive Invite' }).waitFor();
  await page.clock.runFor(60_000);
  await expect.poll(() => new URL(page.url()).pathname).toBe(path);

  await answerCall(page, 'verifyReferral', { status: 500, text: '' });
  await open(`${path}?utm_source=feed`);
  await page.locator('h1:focus', { hasText: 'Check failed' }).waitFor();
  await page.clock.runFor(3000);
  await page.waitForURL((url) => url.pathname === pagePaths.landing);
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toEqual({
    utm_source: 'feed',
    ref: inviter.referral_code,
  });
  await page.getByText('Referral Active - Better Position Guaranteed!').waitFor();
});
