/** The kit of the console in states that screens seldom show, by /console/gallery.html. */
import type { Locator, Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { isFull } from '../support/short-form.ts';

const browser = openTestBrowser();

async function openGallery(): Promise<Page> {
  const { page } = await browser.visit({
    baseURL: inject('strictSiteUrl'),
    hasRunningClock: true,
    viewport: DESKTOP,
  });
  await page.goto('/console/gallery.html');
  await page.getByRole('heading', { name: 'Parts' }).waitFor();
  return page;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const layers = (page: Page) => expect.poll(() => page.locator('dialog, .sheet').count());
const isFocused = (target: Locator) =>
  expect.poll(() => target.evaluate((one) => one === document.activeElement));
const focused = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.textContent));

test('every sample is accessible and fits, at rest and in each layer', async () => {
  const page = await openGallery();
  await expectAccessibleConsole(page);
  // In the short form the tests of the screens look at the others.
  const elsewhere = ['Confirm', 'Confirm, waiting', 'Confirm, refused', 'Sheet'];
  const here = ['Confirm, loading', 'Confirm, failed', 'Help'];
  for (const name of isFull ? [...elsewhere, ...here] : here) {
    await press(page, name);
    await layers(page).toBe(1);
    await expectAccessibleConsole(page, '[role="dialog"], dialog');
    await page.keyboard.press('Escape');
    await layers(page).toBe(0);
  }
  await press(page, 'Toast, failed');
  await page.getByText('Not removed').first().waitFor();
  await press(page, 'More actions');
  await page.getByRole('menuitem', { name: 'Remove' }).waitFor();
  await expectAccessibleConsole(page);
  await page.keyboard.press('Escape');
  // It stays: what it asks is under way.
  await press(page, 'Confirm, busy');
  await expectAccessibleConsole(page, '[role="dialog"], dialog');
});

test('a layer holds the focus and gives it back, and a change needs a reason', async () => {
  const page = await openGallery();
  const opener = page.getByRole('button', { name: 'Confirm', exact: true });
  const reason = page.getByLabel('Reason');
  await opener.press('Enter');
  await isFocused(reason).toBe(true);
  for (let step = 0; step < 8; step++) {
    await page.keyboard.press('Tab');
    await expect
      .poll(() =>
        page.evaluate(
          () =>
            document.activeElement === document.body ||
            document.activeElement?.closest('dialog') !== null,
        ),
      )
      .toBe(true);
  }
  await page.keyboard.press('Escape');
  await layers(page).toBe(0);
  await focused(page).toBe('Confirm');

  await opener.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Please write why.').waitFor();
  await reason.fill('Asked to leave');
  await reason.press('Control+Enter');
  await layers(page).toBe(0);

  // A sheet leaves the list usable on a desk, and covers it on a phone.
  await press(page, 'Sheet');
  await layers(page).toBe(1);
  const isInert = () =>
    expect.poll(() => page.locator('.frame').evaluate((frame: HTMLElement) => frame.inert));
  await isInert().toBe(false);
  await page.setViewportSize(PHONE);
  await isInert().toBe(true);
  await page.keyboard.press('Escape');
  await isInert().toBe(false);
  await focused(page).toBe('Sheet');
});

test('rows are walked, selected and sorted by keys, which can be switched off', async () => {
  const page = await openGallery();
  const list = page.getByRole('table', { name: 'Members', exact: true });
  const selected = page.getByRole('region', { name: 'Selection' }).getByRole('status');
  await list.locator('tr[data-row="sample-0"]').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Space');
  await expect.poll(() => selected.textContent()).toBe('2 members selected');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect.poll(() => selected.textContent()).toBe('1 member selected');
  await list.getByLabel('All on this page').press('Space');
  await expect.poll(() => selected.textContent()).toBe('6 members selected');
  await list.getByLabel('All on this page').press('Space');
  await expect.poll(() => selected.count()).toBe(0);

  const header = page.getByRole('columnheader', { name: 'Position' }).first();
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
  await header.getByRole('button').press('Enter');
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');

  const search = page.getByLabel('Search members');
  await page.keyboard.press('/');
  await isFocused(search).toBe(true);
  await press(page, 'Help');
  await page.getByLabel('Single-key shortcuts').uncheck();
  await page.reload();
  await page.getByRole('heading', { name: 'Parts' }).waitFor();
  await page.keyboard.press('/');
  await isFocused(search).toBe(false);
});

test('the whole time is in a tooltip, and the numbers of a chart are a table', async () => {
  const page = await openGallery();
  await page.getByText('9 hours ago').first().hover();
  await page
    .getByRole('tooltip')
    .filter({ hasText: /\d\d:\d\d:\d\d/ })
    .waitFor();
  const chart = page.getByRole('region', { name: 'Joins', exact: true });
  await chart.getByRole('button', { name: 'Numbers' }).click();
  const cells = chart.getByRole('row').nth(1).locator('th, td');
  await expect.poll(() => cells.allTextContents()).toEqual(['2 Jan 2030', '180']);
});
