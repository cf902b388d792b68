/** The overview: true numbers, in every state, by hour and day. */
import { beforeAll, expect, inject, test } from 'vitest';
import type { Overview } from '../../contract/operator/overview.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, pagePaths } from '../../contract/paths.ts';
import { SOURCE_HEADER } from '../../contract/sources.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { measureOverflow } from '../support/accessible-page.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { joinLine, newAddress } from '../support/browser-line.ts';
import { callOperator, pressInTurn, visitConsole } from '../support/console-visit.ts';
import { takeToast } from '../support/passing-states.ts';

const browser = openTestBrowser();
const WIDE = { width: 1920, height: 1080 };
const CALL = `**${operatorPaths.overview}?*`;

const ask = () => callOperator<Overview>(operatorPaths.overview);

beforeAll(async () => {
  const { referral_code: code } = await joinLine();
  await joinLine({ referredBy: code });
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
  await fetch(`${inject('siteUrl')}${fillPath(pagePaths.invite, code)}?utm_source=overview-test`, {
    headers: agent,
  });
});

/** Answers of a line that is not there, made from those of the one that is. */
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
    is_pinned: index === 0,
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

test('the numbers are those of the line, and follow it', async () => {
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

  // The period is chosen by keyboard, and is in the URL.
  await pressInTurn(page, 'g', 's');
  await page.getByRole('heading', { name: 'Stock', level: 1 }).waitFor();
  await pressInTurn(page, 'g', 'o');
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.getByLabel('30 d').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => page.url()).toContain('range=24h');
  await page.getByText(/^Members who joined in each hour/).waitFor();
  await page.reload();
  await page.getByText(/^Members who joined in each hour/).waitFor();
  await expect.poll(() => page.getByLabel('24 h').isChecked()).toBe(true);

  // Each chart has its numbers as a table.
  await page.getByLabel('24 h').focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.url()).toContain('range=7d');
  const charts = page.locator('.chart');
  await expect.poll(() => charts.count()).toBe(7);
  for (const chart of await charts.all()) {
    await chart.getByRole('button', { name: 'Numbers' }).press('Enter');
    await expect.poll(() => chart.getByRole('row').count()).toBeGreaterThan(1);
    await expect.poll(() => chart.locator('.chart-definition').textContent()).toMatch(/^.{21,}$/s);
  }
  const joins = page.getByRole('region', { name: 'Joins', exact: true });
  await expect.poll(() => joins.getByRole('row').count()).toBe(1 + 7);
  await expectAccessibleConsole(page);
});

test('a line of a million is shown and accessible', async () => {
  const { page } = await visitConsole(browser, { viewport: PHONE });
  const json = huge(await ask());
  await page.route(CALL, (route) => route.fulfill({ json }));
  await page.goto('/console/overview');
  const line = page.getByRole('region', { name: 'The line' });
  await line.getByText('1,000,000', { exact: true }).first().waitFor();
  await page.setViewportSize(WIDE);
  await expect.poll(() => measureOverflow(page, '100%')).toBeLessThanOrEqual(0);
  await page.setViewportSize(PHONE);
  await expectAccessibleConsole(page);
});

test('a source is pinned before anybody comes by it, and unpinned, on a phone', async () => {
  const { page, expectNoise } = await visitConsole(browser, { viewport: PHONE });
  expectNoise(/422/);
  await page.goto('/console/overview');
  const sources = page.getByRole('region', { name: 'Sources', exact: true });
  const dialog = page.getByRole('dialog');
  await sources.getByRole('button', { name: 'Pin a source' }).click();
  await dialog.getByLabel('Link').fill('fair');
  await dialog.getByText(/^Please name the source as a link does/).waitFor();
  await dialog.getByLabel('Link').fill('https://example.com/?utm_source=fair&utm_medium=flyer');
  await dialog.getByText('Visits by "fair / flyer" are always counted apart.').waitFor();
  await dialog.getByLabel('Reason').fill('flyers');
  await expectAccessibleConsole(page);
  await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
  await takeToast(page, 'The source "fair / flyer" was pinned.');

  await sources.getByRole('button', { name: 'Numbers' }).click();
  const unpin = sources.getByRole('button', { name: 'Unpin fair · flyer' });
  await unpin.waitFor();
  await sources.getByRole('button', { name: 'Pin overview-test', exact: true }).waitFor();
  await expect
    .poll(() =>
      sources
        .getByRole('row', { name: /Direct/ })
        .getByRole('button')
        .count(),
    )
    .toBe(0);
  await expectAccessibleConsole(page);
  await unpin.click();
  await dialog.getByText(/are counted apart as long as there is room/).waitFor();
  await dialog.getByLabel('Reason').fill('the fair is over');
  await dialog.getByRole('button', { name: 'Unpin', exact: true }).click();
  await takeToast(page, 'The source "fair / flyer" was unpinned.');
  await expect.poll(() => unpin.count()).toBe(0);
});

test('top inviters of the period are listed by source, and each is linked', async () => {
  const member = await joinLine();
  const run = Date.now().toString(36);
  for (const via of ['chat', 'chat', 'print'])
    await fetch(inject('siteUrl') + apiPaths.join, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [SOURCE_HEADER]: `via=${via}${run}` },
      body: JSON.stringify({ email: newAddress(), referred_by: member.referral_code }),
    });
  const { page } = await visitConsole(browser, { viewport: PHONE });
  await page.goto(`/console/overview?range=7d&source=chat${run}`);
  const row = page.getByRole('table', { name: 'Top inviters' }).locator('tbody tr');
  await expect
    .poll(() => row.allTextContents())
    .toEqual([expect.stringContaining(`via chat${run}: 2`)]);
  await expectAccessibleConsole(page);
  await page.setViewportSize(DESKTOP);
  await page.getByLabel('Source of the friends').selectOption(`print${run}`);
  await expect
    .poll(() => row.allTextContents())
    .toEqual([expect.stringContaining(`via print${run}: 1`)]);
  await expectAccessibleConsole(page);
  await row.click();
  await page.getByRole('dialog', { name: member.email }).waitFor();
});
