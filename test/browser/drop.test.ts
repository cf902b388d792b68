/** A member follows a drop on its page, from the freeze to the pass. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, pagePaths } from '../../contract/paths.ts';
import { openDatabase } from '../../server/db/open.ts';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser } from '../support/browser.ts';
import { joinLine } from '../support/browser-line.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { callAs } from '../support/operator-call.ts';
import { type OwnSite, openOwnSite } from '../support/own-site.ts';
import { readNoted } from '../support/passing-states.ts';

const browser = openTestBrowser();
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

describe('on a server that runs a drop', () => {
  const OPERATOR_TOKEN = 'the-operator-token-of-the-tests-of-drop-pages';
  let site: OwnSite;
  let ids: string[];

  beforeAll(async () => {
    site = await openOwnSite({
      LIMITS: 'off',
      OPERATOR_TOKEN,
      SHOP_URL: 'https://shop.example.com/discount/',
    });
    ids = [];
    for (let count = 0; count < 4; count++) ids.push((await joinLine({ siteUrl: site.url })).id);
    for (const [size, stock] of Object.entries({ Small: 2, Medium: 1, Large: 1 }))
      await change('set-stock', { size, stock });
  });
  afterAll(() => site.close());

  const change = (kind: string, input: object = {}) =>
    callAs(OPERATOR_TOKEN, site.url + operatorPaths.changes, { kind, input, reason: 'launch day' });

  function readLink(id: string): string {
    return (
      /\/thank-you\/[\w-]+#offer=3D[\w-]+/
        .exec(site.readMails(id).join())?.[0]
        .replace('=3D', '=') ?? ''
    );
  }

  const visit = () =>
    browser.visit({
      baseURL: site.url,
      hasRunningClock: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    });

  test('a member follows it to the pass; others decline, or look', async () => {
    const [first = '', second = '', third = '', fourth = ''] = ids;
    const { page, context, open } = await visit();
    await open(fillPath(pagePaths.status, first));
    await page.getByRole('button', { name: 'Copy invite link' }).waitFor();
    await expect.poll(() => page.locator('.drop-card').count()).toBe(0);
    await press(page, 'Choose sizes');
    await press(page, 'Large');
    await press(page, 'Small');
    await press(page, 'Any other');
    await page.getByText('Large first, then Small.').waitFor();
    await expectAccessiblePage(page);
    await press(page, 'Save my sizes');
    await page.getByText('Saved. You can change it').waitFor();
    const wish = await (await fetch(site.url + fillPath(apiPaths.sizes, first))).json();
    expect(wish).toMatchObject({ sizes: ['Large', 'Small'], takes_any: false });

    const database = await openDatabase({ ...site.place, log: () => {} });
    await confirmEverybody(database);
    await database.close();
    await change('freeze-drop', { first: 3, domains: ['example.com'] });
    await page.reload();
    await page.getByRole('heading', { name: 'You are on the list' }).waitFor();
    await page.getByRole('link', { name: 'See your ticket', exact: true }).waitFor();

    await change('announce-draw', { by_rank: 4, drawn_among: 0, source: 'none' });
    await change('select-entrants');
    await page.reload();
    await page.getByRole('heading', { name: 'You are chosen' }).waitFor();

    await change('start-offers', { minutes: 720, time_zone: 'UTC' });
    for (const id of [first, second, third])
      await expect.poll(() => readLink(id), { timeout: 60_000 }).not.toBe('');
    await page.reload();
    await page.getByText('Open the link in your mail to answer').waitFor();
    await open(readLink(first));
    await page.getByRole('button', { name: 'Accept in' }).waitFor();
    await expect.poll(() => new URL(page.url()).hash).toBe('');
    const wrong = await browser.visit({ baseURL: site.url });
    await wrong.page.clock.setSystemTime(Date.now() + 3 * 3_600_000);
    await wrong.open(fillPath(pagePaths.status, first));
    await wrong.page.getByText('Time left').waitFor();
    await expect
      .poll(() => wrong.page.locator('.offer-digits').innerText())
      .toMatch(/^(12|11)\s*[05]/);

    await press(page, 'Accept in');
    await page.getByText('Opens the shop once. Not transferable.').waitFor();
    await press(page, 'Show code');
    const shown = page.locator('.pass-code code');
    await expect.poll(() => shown.innerText()).toMatch(/^[2-9A-Z]{4}(-[2-9A-Z]{4}){3}$/);
    const code = await shown.innerText();
    await expect
      .poll(() => page.getByRole('link', { name: 'Open the shop' }).getAttribute('href'))
      .toBe(`https://shop.example.com/discount/${code}`);
    await press(page, 'Copy the code');
    await expect.poll(() => readNoted(page, '[role="status"]')).toContain('The code is copied.');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(code);
    // The tab keeps the link; another tab only looks.
    await page.reload();
    await press(page, 'Show code');
    await page.getByText(code).waitFor();
    const other = await context.newPage();
    await other.goto(fillPath(pagePaths.status, first));
    await other.getByText('Open the link in your mail to use this pass').waitFor();

    const decliner = await visit();
    await decliner.open(readLink(second));
    await press(decliner.page, 'Decline');
    await press(decliner.page, 'Keep my offer');
    await press(decliner.page, 'Decline');
    await press(decliner.page, 'Yes, decline');
    await decliner.page.getByRole('heading', { name: 'You declined' }).waitFor();

    const stranger = await visit();
    await stranger.open(readLink(third).replace(third, fourth));
    await stranger.page.getByText('That link belongs to another member').waitFor();
    await stranger.page.getByText('Your place and your friends count for drop 2.').waitFor();

    await change('close-drop');
    await stranger.page.reload();
    await stranger.page.getByRole('heading', { name: 'This drop is over' }).waitFor();
    await page.reload();
    await press(page, 'Show code');
    await page.getByText(code).waitFor();
  });
});
