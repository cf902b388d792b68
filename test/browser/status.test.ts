/** SPEC 2, '/thank-you/{userId}': loading, loaded, not found, failed, and kept fresh. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { pagePaths } from '../../contract/paths.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerCall, answerStatus, holdCall, MEMBER, STATS } from '../support/browser-api.ts';
import { joinLine, readStatus } from '../support/browser-line.ts';
import { readToast } from '../support/browser-toast.ts';

const browser = openTestBrowser();

const path = pagePaths.status(MEMBER.id);
/** Milliseconds between two refreshes of an open page. */
const REFRESH_MS = 30_000;
const place = (page: Page, position: number) =>
  page.getByRole('heading', { name: `Ghost #${position} in line`, exact: true });

const NOT_LOADED = {
  title: 'Error loading data',
  description: 'Please refresh the page or try again later.',
  isDestructive: true,
};

test("'Loading Ghost Status...' is shown until both calls are answered", async () => {
  const { page, open } = await browser.visit();
  const [status, stats] = [await holdCall(page, 'status'), await holdCall(page, 'stats')];
  await page.goto(path, { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Loading Ghost Status...' }).waitFor();
  status.release({ json: MEMBER });
  await page.clock.runFor(5000);
  await expect
    .poll(() => page.getByRole('heading', { level: 1 }).innerText())
    .toMatch(/Loading Ghost Status\.\.\./i);
  stats.release({ json: STATS });
  await place(page, 128).waitFor();
  expect([status.seen.length, stats.seen.length]).toEqual([1, 1]);
  await answerStatus(page);
  await open(path);
});

test('a member sees position, referrals, invite link, teaser and stats', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page);
  await open(path);
  await place(page, 128).waitFor();
  await page.getByText('28 places to go').waitFor();
  await page.getByText('Next reward: A shirt').waitFor();
  const link = page.getByRole('textbox', { name: 'Invite link' });
  await expect
    .poll(() => link.inputValue())
    .toBe(new URL(pagePaths.invite(MEMBER.referral_code), page.url()).href);
  await expect.poll(() => link.getAttribute('readonly')).not.toBeNull();
  await page.getByRole('button', { name: 'Share & Climb the Ranks' }).waitFor();
  for (const [label, value] of [
    ['Total Ghosts', '2,417'],
    ['Masks Remaining', '97'],
    ['Top Referrer Score', '41'],
  ] as const) {
    const stat = page.locator('.stat').filter({ hasText: label });
    await expect.poll(() => stat.locator('.visually-hidden').innerText()).toBe(value);
  }
});

test('the real position is shown, and again after a reload', async () => {
  const inviter = await joinLine();
  await joinLine({ referredBy: inviter.referral_code });
  const { page, open, becomeLive } = await browser.visit();
  await open(pagePaths.status(inviter.id));
  const { position } = await readStatus(inviter.id);
  await page.getByRole('heading', { name: /^Ghost #\d+ in line$/ }).waitFor();
  expect(position).toBeGreaterThan(0);
  await page
    .locator('.referral-count .visually-hidden')
    .filter({ hasText: /^1$/ })
    .waitFor({ state: 'attached' });
  await page.reload();
  await becomeLive();
  await page.getByRole('heading', { name: /^Ghost #\d+ in line$/ }).waitFor();
});

test('an unknown member is Ghost Not Found, with a link back', async () => {
  const { page, open, expectNoise } = await browser.visit();
  expectNoise(/404/);
  await open(path);
  await page.getByRole('heading', { name: 'Ghost Not Found' }).waitFor();
  await page.getByText('Invalid or expired link.', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Return to Waitlist' }).click();
  await page.getByRole('button', { name: 'SECURE YOUR SPOT' }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/');
});

/** Answers the next refresh of the open page with these values. */
async function refreshWith(
  page: Page,
  ...answers: Parameters<typeof answerStatus> extends [Page, ...infer Rest] ? Rest : never
): Promise<void> {
  await answerStatus(page, ...answers);
  await page.clock.runFor(REFRESH_MS);
}

test('the bar is the share of the next tier, 100 percent at most, none at the last', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page);
  await open(path);
  const bar = page.getByRole('progressbar', { name: 'Progress toward the next tier' });
  for (const [count, required, percent] of [
    [0, 3, 0],
    [1, 3, 33.3],
    [3, 4, 75],
    [7, 5, 100],
  ] as const) {
    await refreshWith(page, {
      referral_count: count,
      next_tier: { required_referrals: required, reward: 'A shirt' },
    });
    await expect
      .poll(() => bar.evaluate((element: HTMLProgressElement) => element.value), {
        message: `${count} of ${required}`,
      })
      .toBeCloseTo(percent, 0);
  }
  for (const next_tier of [null, undefined]) {
    await answerCall(page, 'status', { json: { ...MEMBER, tier_level: 5, next_tier } });
    await page.clock.runFor(REFRESH_MS);
    await page.getByText('You have reached the last tier.').waitFor();
    await expect.poll(() => page.getByRole('progressbar').count()).toBe(0);
    await expect.poll(() => page.getByText('Next reward').count()).toBe(0);
    await refreshWith(page);
    await bar.waitFor();
  }
});

test('tier 0 has no icon, 1 a gift, 2 a badge, 3 a trophy, and 4 and above a crown', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page);
  await open(path);
  for (const [level, icon] of [
    [0, null],
    [1, 'lucide-gift'],
    [2, 'lucide-badge'],
    [3, 'lucide-trophy'],
    [4, 'lucide-crown'],
    [5, 'lucide-crown'],
    [9, 'lucide-crown'],
  ] as const) {
    await refreshWith(page, { tier_level: level });
    const badge = page.locator('.badge').filter({ hasText: `Tier ${level}` });
    await badge.waitFor();
    const icons = badge.locator('svg');
    await expect.poll(() => icons.count()).toBe(icon ? 1 : 0);
    if (icon)
      await expect
        .poll(async () => (await icons.getAttribute('class'))?.split(' '))
        .toContain(icon);
  }
});

test('unlocked rewards are listed above those still to come, each without a number', async () => {
  const rewards = ['A shirt', 'A wristband'];
  const { page, open } = await browser.visit();
  await answerStatus(page, { rewards_unlocked: rewards });
  await open(path);
  const unlocked = page.getByRole('region', { name: 'Unlocked' });
  await unlocked.waitFor();
  await expect.poll(() => unlocked.getByRole('listitem').allInnerTexts()).toEqual(rewards);
  const locked = page.getByRole('region', { name: 'Still to unlock' }).getByRole('listitem');
  const all = brand.tiers.map(({ reward }) => reward);
  await expect.poll(() => locked.allInnerTexts()).toEqual(all);
  await answerStatus(page, { tier_level: 2, rewards_unlocked: all.slice(0, 2) });
  await open(path);
  await unlocked.waitFor();
  await expect.poll(() => locked.allInnerTexts()).toEqual(all.slice(2));
  await answerStatus(page, { rewards_unlocked: [] });
  await open(path);
  await locked.first().waitFor();
  await expect.poll(() => unlocked.count()).toBe(0);
});

test('the position reads as in the top 100 or as places to go, and no referrer as 0', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page, {}, { top_referrers: [] });
  await open(path);
  const stat = page.locator('.stat').filter({ hasText: 'Top Referrer Score' });
  await expect.poll(() => stat.locator('.visually-hidden').innerText()).toBe('0');
  for (const [position, text] of [
    [1, 'In the top 100'],
    [101, '1 place to go'],
    [100, 'In the top 100'],
    [12_345_678, '12,345,578 places to go'],
  ] as const) {
    await refreshWith(page, { position });
    await page.getByText(text, { exact: true }).waitFor();
  }
});

test('a failed load is told, with a way back to the waitlist, and Retry loads again', async () => {
  const { page, open, expectNoise } = await browser.visit();
  expectNoise(/500/);
  await answerCall(page, 'status', { status: 500, json: { detail: 'no' } });
  await answerCall(page, 'stats', { json: STATS });
  await open(path);
  await expect(readToast(page, NOT_LOADED.title)).resolves.toEqual(NOT_LOADED);
  const back = page.getByRole('link', { name: 'Return to Waitlist' });
  await expect.poll(() => back.getAttribute('href')).toBe(pagePaths.landing());
  await answerStatus(page);
  await page.getByRole('button', { name: 'Retry' }).click();
  await place(page, 128).waitFor();
});

test('failed stats are told in a toast too, beside the member', async () => {
  const { page, open, expectNoise } = await browser.visit();
  expectNoise(/500/);
  await answerCall(page, 'status', { json: MEMBER });
  await answerCall(page, 'stats', { status: 500, json: { detail: 'no' } });
  await open(path);
  await place(page, 128).waitFor();
  await expect.poll(() => page.getByText('Not available').count()).toBe(3);
  await expect(readToast(page, NOT_LOADED.title)).resolves.toEqual(NOT_LOADED);
});

test('the page is refreshed every 30 s and announces changes', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page);
  await open(path);
  await place(page, 128).waitFor();
  // The chunk that announces has come.
  await page.getByRole('heading', { name: 'Referrals' }).waitFor();
  const calls = await answerCall(page, 'status', {
    json: { ...MEMBER, position: 99, referral_count: 2 },
  });
  await page.clock.runFor(29_900);
  expect(calls).toHaveLength(0);
  await page.clock.runFor(200);
  await place(page, 99).waitFor();
  await page
    .getByText('Your place is now #99, it was #128. You have 2 referrals.')
    .waitFor({ state: 'attached' });
});

test('a failed refresh removes nothing', async () => {
  const { page, open, expectNoise } = await browser.visit();
  expectNoise(/500/);
  await answerStatus(page);
  await open(path);
  await place(page, 128).waitFor();
  const calls = await answerCall(page, 'status', { status: 500, json: {} });
  await page.clock.runFor(31_000);
  await expect.poll(() => calls.length).toBe(1);
  await place(page, 128).waitFor();
});

/** Tells the page that the visitor hides its tab or shows it again, as a browser does. */
function turnTab(page: Page, visibility: DocumentVisibilityState): Promise<void> {
  return page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    dispatchEvent(new Event(state === 'visible' ? 'focus' : 'blur'));
  }, visibility);
}

test('a tab that is shown again asks once, and again the next time', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page);
  await open(path);
  await place(page, 128).waitFor();
  const first = await holdCall(page, 'status');
  await turnTab(page, 'hidden');
  await turnTab(page, 'visible');
  await page.clock.runFor(10_000);
  await expect.poll(() => first.seen.length).toBe(1);
  first.release({ json: { ...MEMBER, position: 99 } });
  await place(page, 99).waitFor();
  expect(first.seen).toHaveLength(1);
  const second = await answerCall(page, 'status', { json: { ...MEMBER, position: 98 } });
  await turnTab(page, 'visible');
  await place(page, 98).waitFor();
  expect(second).toHaveLength(1);
});

test('a refresh ends with its tab, so that it cannot overwrite a newer one', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page);
  await open(path);
  await place(page, 128).waitFor();
  const older = await holdCall(page, 'status');
  await turnTab(page, 'visible');
  await expect.poll(() => older.seen.length).toBe(1);
  const ended = page.waitForEvent('requestfailed');
  await turnTab(page, 'hidden');
  await expect.poll(async () => (await ended).url()).toContain(MEMBER.id);
  await answerCall(page, 'status', { json: { ...MEMBER, position: 97 } });
  await turnTab(page, 'visible');
  await place(page, 97).waitFor();
});
