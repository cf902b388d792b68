/** docs/behaviour.md 2.2: loading, loaded, not found, failed, and kept fresh. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerCall, answerStatus, holdCall, MEMBER, STATS } from '../support/browser-api.ts';
import { readToast } from '../support/browser-toast.ts';
import { tellStory } from '../support/tell-story.ts';
import { isAll } from '../support/test-form.ts';

const browser = openTestBrowser();

const path = fillPath(pagePaths.status, MEMBER.id);
const REFRESH_MS = 30_000;
const place = (page: Page, position: number) =>
  page.getByRole('heading', { name: `Ghost #${position} in line`, exact: true });

const NOT_LOADED = {
  title: 'Error loading data',
  description: 'Please refresh the page or try again later.',
  isDestructive: true,
};

test('Loading... stands until both calls are answered, then the member', async () => {
  const { page } = await browser.visit();
  const [status, stats] = [await holdCall(page, 'status'), await holdCall(page, 'stats')];
  await page.goto(path, { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Loading Ghost Status...' }).waitFor();
  await page.getByRole('status').filter({ hasText: 'Loading Ghost Status...' }).waitFor();
  status.release({ json: MEMBER });
  await page.clock.runFor(5000);
  await expect
    .poll(() => page.getByRole('heading', { level: 1 }).innerText())
    .toMatch(/Loading Ghost Status\.\.\./i);
  stats.release({ json: STATS });
  await place(page, 128).waitFor();
  expect([status.seen.length, stats.seen.length]).toEqual([1, 1]);
  await page.getByText('28 places to go').waitFor();
  await page.getByText('Next reward: A shirt').waitFor();
  const link = page.getByRole('textbox', { name: 'Invite link' });
  await expect
    .poll(() => link.inputValue())
    .toBe(new URL(fillPath(pagePaths.invite, MEMBER.referral_code), page.url()).href);
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

async function refreshWith(
  page: Page,
  ...answers: Parameters<typeof answerStatus> extends [Page, ...infer Rest] ? Rest : never
): Promise<void> {
  await answerStatus(page, ...answers);
  await page.clock.runFor(REFRESH_MS);
}

test('a refresh brings bar, icon and place: the bar is 100 percent at most', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page, {}, { top_referrers: [] });
  await open(path);
  const stat = page.locator('.stat').filter({ hasText: 'Top Referrer Score' });
  await expect.poll(() => stat.locator('.visually-hidden').innerText()).toBe('0');
  const bar = page.getByRole('progressbar', { name: 'Progress toward the next tier' });
  for (const [count, required, percent, level, icon, position, text] of [
    [0, 3, 0, 0, null, 1, 'In the top 100'],
    [1, 3, 33.3, 1, 'lucide-gift', 101, '1 place to go'],
    [3, 4, 75, 4, 'lucide-crown', 100, 'In the top 100'],
    [7, 5, 100, 0, null, 12_345_678, '12,345,578 places to go'],
  ] as const) {
    const message = `${count} of ${required}`;
    await refreshWith(page, {
      referral_count: count,
      next_tier: { required_referrals: required, reward: 'A shirt' },
      tier_level: level,
      position,
    });
    await page.getByText(text, { exact: true }).waitFor();
    await expect
      .poll(() => bar.evaluate((element: HTMLProgressElement) => element.value), { message })
      .toBeCloseTo(percent, 0);
    const badge = page.locator('.badge').filter({ hasText: `Tier ${level}` });
    await expect.poll(() => badge.locator('svg').count(), { message }).toBe(icon ? 1 : 0);
    if (icon) await badge.locator(`svg.${icon}`).waitFor();
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

test.runIf(isAll)(
  'unlocked rewards stand above the rewards still to come, each without a number',
  async () => {
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
    await refreshWith(page, { tier_level: 2, rewards_unlocked: all.slice(0, 2) });
    await expect.poll(() => locked.allInnerTexts()).toEqual(all.slice(2));
    await refreshWith(page, { rewards_unlocked: [] });
    await locked.first().waitFor();
    await expect.poll(() => unlocked.count()).toBe(0);
  },
);

test.runIf(isAll)('texts of the API are shown as text, never as markup', async () => {
  const hostile = '<img src=x onerror=alert(1)>';
  const { page, open } = await browser.visit();
  await answerStatus(page, {
    rewards_unlocked: [hostile],
    next_tier: { required_referrals: 3, reward: hostile },
  });
  await open(path);
  await page.getByRole('listitem').filter({ hasText: hostile }).waitFor();
  await page.getByText(`Next reward: ${hostile}`).waitFor();
  await expect.poll(() => page.locator('img[src="x"]').count()).toBe(0);
});

test('a failed load shows a toast and a way back to the waitlist, Retry loads again', async () => {
  const { page, open, expectNoise } = await browser.visit();
  expectNoise(/500/);
  await answerCall(page, 'status', { status: 500, json: { detail: 'no' } });
  await answerCall(page, 'stats', { json: STATS });
  await open(path);
  await expect(readToast(page, NOT_LOADED.title)).resolves.toEqual(NOT_LOADED);
  const back = page.getByRole('link', { name: 'Return to Waitlist' });
  await expect.poll(() => back.getAttribute('href')).toBe(pagePaths.landing);
  await answerStatus(page);
  await page.getByRole('button', { name: 'Retry' }).click();
  await place(page, 128).waitFor();
});

function setVisibility(page: Page, visibility: DocumentVisibilityState): Promise<void> {
  return page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    dispatchEvent(new Event(state === 'visible' ? 'focus' : 'blur'));
  }, visibility);
}

const step = tellStory('a page that stays open is refreshed, and keeps what it has');
let opened: Page;

step('it is refreshed every 30 s and announces changes', async () => {
  const { page, open, expectNoise } = await browser.visit();
  expectNoise(/500/);
  opened = page;
  await answerStatus(page);
  await open(path);
  await place(page, 128).waitFor();
  await page.getByRole('heading', { name: 'Referrals' }).waitFor();
  const calls = await answerCall(page, 'status', {
    json: { ...MEMBER, position: 99, referral_count: 2 },
  });
  await page.clock.runFor(29_900);
  expect(calls).toHaveLength(0);
  await page.clock.runFor(200);
  await place(page, 99).waitFor();
  await page
    .getByRole('status')
    .filter({ hasText: 'Your place is now #99, it was #128. You have 2 referrals.' })
    .waitFor({ state: 'attached' });
});

step('a failed refresh removes nothing', async () => {
  const calls = await answerCall(opened, 'status', { status: 500, json: {} });
  await opened.clock.runFor(31_000);
  await expect.poll(() => calls.length).toBe(1);
  await place(opened, 99).waitFor();
});

step('a tab that is shown again asks once, and again the next time', async () => {
  const first = await holdCall(opened, 'status');
  await setVisibility(opened, 'hidden');
  await setVisibility(opened, 'visible');
  await opened.clock.runFor(10_000);
  await expect.poll(() => first.seen.length).toBe(1);
  first.release({ json: { ...MEMBER, position: 97 } });
  await place(opened, 97).waitFor();
  expect(first.seen).toHaveLength(1);
  const second = await answerCall(opened, 'status', { json: { ...MEMBER, position: 98 } });
  await setVisibility(opened, 'visible');
  await place(opened, 98).waitFor();
  expect(second).toHaveLength(1);
});

step('a refresh ends with its tab, so that it cannot overwrite a newer one', async () => {
  const older = await holdCall(opened, 'status');
  await setVisibility(opened, 'visible');
  await expect.poll(() => older.seen.length).toBe(1);
  const ended = opened.waitForEvent('requestfailed');
  await setVisibility(opened, 'hidden');
  await expect.poll(async () => (await ended).url()).toContain(MEMBER.id);
  await answerCall(opened, 'status', { json: { ...MEMBER, position: 96 } });
  await setVisibility(opened, 'visible');
  await place(opened, 96).waitFor();
});
