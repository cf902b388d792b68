/** docs/behaviour.md 2.3: verifying, valid, invalid, and the redirect. */
import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { UNKNOWN_CODE as PLAIN_UNKNOWN } from '../../contract/plain-invite.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerCall, holdCall, stopAnswering } from '../support/browser-api.ts';
import { joinLine, newAddress, readStatus } from '../support/browser-line.ts';
import { readToast, toastOf } from '../support/browser-toast.ts';
import { lookAtEach } from '../support/page-visits.ts';
import type { Answer } from '../support/paused-calls.ts';
import { isAll } from '../support/test-form.ts';

const browser = openTestBrowser();

const UNKNOWN = fillPath(pagePaths.invite, 'ZZZZZZZZZZ');
const INVALID = { valid: false, referrer_email: null };

test("'Verifying invite...' is shown until the answer arrives", async () => {
  const { page } = await browser.visit();
  const verification = await holdCall(page, 'verifyReferral');
  await page.goto(UNKNOWN, { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Verifying invite...' }).waitFor();
  await page.locator('#ghost svg').waitFor();
  await page.clock.runFor(5000);
  await expect.poll(() => page.getByLabel('Email').count()).toBe(0);
  verification.release({ json: { valid: true, referrer_email: 'host@example.com' } });
  await page.getByRole('heading', { name: 'Exclusive Invite' }).waitFor();
  expect(verification.seen).toHaveLength(1);
});

test('an invite shows the inviter, who gets the credit of a join', async () => {
  const inviter = await joinLine();
  const { page, open } = await browser.visit();
  await open(fillPath(pagePaths.invite, inviter.referral_code));
  await page.getByRole('heading', { name: 'Exclusive Invite' }).waitFor();
  await page.getByText(inviter.email, { exact: true }).waitFor();
  await page.getByText('start ahead of everyone without an invite').waitFor();
  await page.getByText(`Their ghost ${inviter.referral_code}`).waitFor();
  const field = await page.getByLabel('Email').boundingBox();
  for (const before of [brand.copy.tagline, `ONLY ${brand.maskCount} MASKS`])
    await expect
      .poll(async () => (await page.getByText(before).boundingBox())?.y)
      .toBeLessThan(field?.y ?? 0);
  await page.getByLabel('Email').fill(newAddress());
  await page.getByRole('button', { name: 'Accept Invite & Join' }).click();
  await expect(readToast(page, 'Welcome')).resolves.toMatchObject({
    title: 'Welcome to the Ghost Code Network!',
  });
  await page.waitForURL(/\/thank-you\//);
  await page.getByRole('heading', { name: /Ghost #\d+ in line/ }).waitFor();
  const card = page.locator('.position-card');
  const readContainer = () => card.evaluate((box) => getComputedStyle(box).containerType);
  await expect.poll(readContainer, { message: 'the styles of the page' }).toBe('inline-size');
  await expect.poll(async () => (await readStatus(inviter.id)).referral_count).toBe(1);
});

const UNSURE = {
  title: 'Error verifying invite',
  description: 'Please try again or use the main signup page.',
};
const UNKNOWN_CODE = {
  title: 'Invalid invite link',
  description: "This referral code doesn't exist or has expired.",
};

type Refusal = [name: string, answer: Answer | null, noise: RegExp | null, toast: typeof UNSURE];

const HEADINGS = new Map([
  [UNSURE, 'Check failed'],
  [UNKNOWN_CODE, 'Invalid Invite'],
]);

const refusals: Refusal[] = [
  ['an unknown code', null, null, UNKNOWN_CODE],
  ['a 500', { status: 500, json: { detail: 'no' } }, /500/, UNSURE],
  ['a valid code without an address', { json: { valid: true } }, null, UNSURE],
];

test('each refusal is shown in a toast and on the page, with a link to the waitlist', async () => {
  const visitor = await browser.visit();
  const { page, open, expectNoise } = visitor;
  const states = refusals.map(([name, answer, noise, toast]) => ({
    name,
    toast,
    async reach() {
      if (noise) expectNoise(noise);
      if (answer) await answerCall(page, 'verifyReferral', answer);
      await open(UNKNOWN);
    },
  }));
  await lookAtEach(visitor, states, async (state) => {
    const { toast = UNSURE } = states.find(({ name }) => name === state.name) ?? {};
    await expect(readToast(page, toast.title)).resolves.toEqual({ ...toast, isDestructive: true });
    await page.getByRole('heading', { name: HEADINGS.get(toast) ?? '' }).waitFor();
    await page.getByRole('main').getByText(toast.description).waitFor();
    await page.getByRole('link', { name: 'Join Regular Waitlist' }).waitFor();
  });
});

async function openInvalid() {
  const visitor = await browser.visit();
  await answerCall(visitor.page, 'verifyReferral', { json: INVALID });
  await visitor.open(pagePaths.landing);
  await visitor.open(UNKNOWN);
  await visitor.page.locator('h1:focus', { hasText: 'Invalid Invite' }).waitFor();
  return visitor;
}

test('an invalid invite leads after 3000 ms to a page that says why, no more', async () => {
  const { page } = await openInvalid();
  const toast = toastOf(page).filter({ hasText: UNKNOWN_CODE.title });
  await toast.waitFor();
  await page.clock.runFor(2999);
  await expect.poll(() => new URL(page.url()).pathname).toBe(UNKNOWN);
  await page.clock.runFor(1);
  await page.waitForURL((url) => url.pathname === pagePaths.landing);
  await page.getByRole('button', { name: 'SECURE YOUR SPOT' }).waitFor();
  await page.locator('#mask svg').waitFor();
  await page.getByRole('status').getByText(PLAIN_UNKNOWN).waitFor();
  await expect.poll(() => page.getByText('Referral Active').count()).toBe(0);
  await page.clock.runFor(1999);
  await toast.waitFor();
  await page.clock.runFor(1);
  await toast.waitFor({ state: 'detached' });
  await page.goBack();
  await expect.poll(() => new URL(page.url()).pathname).toBe(pagePaths.landing);
});

test('Stay cancels the redirect', async () => {
  const { page } = await openInvalid();
  await page.clock.runFor(2000);
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByText('You are staying on this page.').waitFor();
  // Its time begins once its script has come.
  await toastOf(page).waitFor();
  await page.clock.runFor(60_000);
  await expect.poll(() => new URL(page.url()).pathname).toBe(UNKNOWN);
  await page.getByRole('link', { name: 'Join Regular Waitlist' }).waitFor();
  await expect.poll(() => toastOf(page).count()).toBe(0);
});

test.runIf(isAll)(
  'an invite that could not be verified can be tried again, and its code is kept',
  async () => {
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
  },
);
