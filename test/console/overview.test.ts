/** The overview: true numbers, in every state, by hour and day. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import type { Overview } from '../../contract/operator/overview.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { pagePaths } from '../../contract/paths.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { joinLine } from '../support/browser-line.ts';
import { callOperator, visitConsole } from '../support/console-visit.ts';

const browser = openTestBrowser();
const WIDE = { width: 1920, height: 1080 };
const CALL = `**${operatorPaths.overview}?*`;

const ask = () => callOperator<Overview>(operatorPaths.overview);

beforeAll(async () => {
  const { referral_code: code } = await joinLine();
  await joinLine({ referredBy: code });
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
  await fetch(`${inject('siteUrl')}${pagePaths.invite(code)}?utm_source=overview-test`, {
    headers: agent,
  });
});

/** The answers of a line that is not there, made from those of the one that is. */
async function answer(page: Page, change: (overview: Overview) => Overview): Promise<void> {
  const json = change(await ask());
  await page.route(CALL, (route) => route.fulfill({ json }));
}

const NONE = {
  visits: 0,
  invite_visits: 0,
  joins: 0,
  invited: 0,
  shared: 0,
  with_friend: 0,
  friends: 0,
};

const empty = (overview: Overview): Overview => ({
  ...overview,
  members: 0,
  totals: NONE,
  invited_share: null,
  k_factor: null,
  buckets: overview.buckets.map(({ starts_at }) => ({ starts_at, ...NONE, k_factor: null })),
  first_friend: {
    members: 0,
    quartiles: null,
    histogram: overview.first_friend.histogram.map((step) => ({ ...step, members: 0 })),
  },
  sources: [],
  channels: [],
});

const huge = (overview: Overview): Overview => ({
  ...overview,
  members: 1_000_000,
  uncounted: 12_345,
  totals: {
    visits: 8_412_345,
    invite_visits: 3_120_455,
    joins: 1_004_321,
    invited: 612_345,
    shared: 401_234,
    with_friend: 201_111,
    friends: 612_345,
  },
  buckets: overview.buckets.map((each, index) => ({
    ...each,
    joins: 20_000 + 731 * index,
    invited: 12_000 + 507 * index,
    friends: 11_000 + 600 * index,
    k_factor: 0.55 + index / 100,
    visits: 280_000 + 900 * index,
    invite_visits: 100_000,
  })),
  sources: Array.from({ length: 200 }, (_, index) => ({
    utm_source: `a-source-with-a-rather-long-name-${index}`,
    utm_medium: 'paid social',
    utm_campaign: `autumn drop number ${index}`,
    referring_host: 'www.an-unusually-long-host-name-of-a-newspaper.example',
    via: 'qr',
    visits: 90_000 - index,
    joins: 9_000 - index,
    invited: 100,
  })),
  left_off_sources: 1_311,
});

test('the numbers are those of the line, and follow it', { timeout: 120_000 }, async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  await page.goto('/console');
  await page.waitForURL(/\/console\/overview$/);
  const line = page.getByRole('region', { name: 'The line' });
  const notice = page.getByRole('status').filter({ hasText: 'links.contact and links.privacy' });
  await notice.getByText('brand/brand.ts').waitFor();
  const before = await ask();
  expect(before.totals.joins).toBeGreaterThan(1);
  // Other tests let people join meanwhile.
  const readMembers = async () =>
    Number((await line.locator('.stat-value').first().textContent())?.replaceAll(',', ''));
  await expect.poll(readMembers).toBeGreaterThanOrEqual(before.members);
  await page.getByRole('region', { name: 'Sources' }).getByText('overview-test').waitFor();
  const funnel = page.getByRole('list', { name: 'From visit to friend' });
  await funnel.getByText('Brought a friend').waitFor();
  await joinLine();
  // Answers are given again for two seconds.
  await expect.poll(async () => (await ask()).members).toBeGreaterThan(before.members);
  const { members } = await ask();
  await expect.poll(readMembers).toBeGreaterThanOrEqual(members);
});

test('each chart has its numbers as a table', async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  await page.goto('/console/overview?range=7d');
  const charts = page.locator('.chart');
  await expect.poll(() => charts.count()).toBe(7);
  for (const chart of await charts.all()) {
    await chart.getByRole('button', { name: 'Numbers' }).press('Enter');
    const rows = await chart.getByRole('row').count();
    expect(rows).toBeGreaterThan(1);
    expect((await chart.locator('.chart-definition').textContent())?.length).toBeGreaterThan(20);
  }
  const joins = page.getByRole('region', { name: 'Joins', exact: true });
  await expect.poll(() => joins.getByRole('row').count()).toBe(1 + 7);
  await expectAccessibleConsole(page);
});

test('the period is chosen by keyboard, and is in the URL', async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  await page.goto('/console/stock');
  await page.getByRole('heading', { name: 'Stock', level: 1 }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.getByLabel('30 d').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => page.url()).toContain('range=24h');
  await page.getByText(/^Members who joined in each hour/).waitFor();
  await page.reload();
  await page.getByText(/^Members who joined in each hour/).waitFor();
  expect(await page.getByLabel('24 h').isChecked()).toBe(true);
});

test.each([
  ['an empty line', empty, '0'],
  ['a line of a million', huge, '1,000,000'],
])('%s is shown and accessible', async (_what, change, members) => {
  const { page } = await visitConsole(browser, { viewport: PHONE });
  await answer(page, change);
  await page.goto('/console/overview');
  const line = page.getByRole('region', { name: 'The line' });
  await line.getByText(members, { exact: true }).first().waitFor();
  await expectAccessibleConsole(page);
  await page.setViewportSize(WIDE);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
});

test('it waits with a skeleton, shows a failure, and recovers by Retry', async () => {
  const { page, expectNoise } = await visitConsole(browser, { viewport: PHONE });
  let isBroken = true;
  const held = Promise.withResolvers<void>();
  await page.route(CALL, async (route) => {
    await held.promise;
    if (!isBroken) return route.fallback();
    await route.fulfill({ status: 400, json: { detail: 'The line is being restored.' } });
  });
  await page.goto('/console/overview');
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.locator('.skeleton').first().waitFor();
  await expectAccessibleConsole(page);
  expectNoise(/400/);
  held.resolve();
  await page.getByText('The line is being restored.').waitFor();
  await expectAccessibleConsole(page);
  isBroken = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('region', { name: 'The line' }).waitFor();
});

test('numbers stay in view, marked as old, when a later call fails', async () => {
  const { page, expectNoise } = await visitConsole(browser, { viewport: DESKTOP });
  await page.goto('/console/overview');
  await page.getByRole('region', { name: 'The line' }).waitFor();
  await page.route(CALL, (route) =>
    route.fulfill({ status: 400, json: { detail: 'The line is being restored.' } }),
  );
  expectNoise(/400/);
  await page.getByText('Not up to date: The line is being restored.').waitFor();
  expect(await page.getByRole('region', { name: 'The line' }).count()).toBe(1);
});
