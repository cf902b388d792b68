/** The kit of the console in all its states, as /console/gallery.html shows it. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';

const browser = openTestBrowser();

async function openGallery(viewport = DESKTOP): Promise<Page> {
  const { page } = await browser.visit({ hasRunningClock: true, viewport });
  await page.goto('/console/gallery.html');
  await page.getByRole('heading', { name: 'Parts' }).waitFor();
  return page;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('every part at rest is accessible and fits', async () => {
  await expectAccessibleConsole(await openGallery());
});

test.each([
  'Confirm',
  'Confirm, waiting',
  'Confirm, loading',
  'Confirm, failed',
  'Confirm, refused',
  'Confirm, busy',
  'Sheet',
  'Help',
])('the layer "%s" is accessible and fits', async (name) => {
  const page = await openGallery();
  await press(page, name);
  await expectAccessibleConsole(page, '[role="dialog"], dialog');
});

test('menus and toasts are accessible', async () => {
  const page = await openGallery();
  await press(page, 'Toast, failed');
  await page.getByText('Not removed').first().waitFor();
  await press(page, 'More actions');
  await page.getByRole('menuitem', { name: 'Remove' }).waitFor();
  await expectAccessibleConsole(page);
});

test('a dialog holds the focus, and gives it back', async () => {
  const page = await openGallery();
  await page.getByRole('button', { name: 'Confirm', exact: true }).press('Enter');
  const reason = page.getByLabel('Reason');
  await expect.poll(() => reason.evaluate((one) => one === document.activeElement)).toBe(true);
  for (let step = 0; step < 8; step++) {
    await page.keyboard.press('Tab');
    expect(
      await page.evaluate(
        () =>
          document.activeElement === document.body ||
          document.activeElement?.closest('dialog') !== null,
      ),
    ).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('dialog').count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Confirm');
});

test('a change is not confirmed without a reason', async () => {
  const page = await openGallery();
  await press(page, 'Confirm');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Please write why.').waitFor();
  await page.getByLabel('Reason').fill('Asked to leave');
  await page.getByLabel('Reason').press('Control+Enter');
  await expect.poll(() => page.locator('dialog').count()).toBe(0);
});

test('a sheet leaves the list usable on a desk, and covers it on a phone', async () => {
  const page = await openGallery();
  await press(page, 'Sheet');
  const isInert = () => page.locator('.frame').evaluate((frame: HTMLElement) => frame.inert);
  expect(await isInert()).toBe(false);
  await page.setViewportSize(PHONE);
  await expect.poll(isInert).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(isInert).toBe(false);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Sheet');
});

test('rows are walked and selected by keyboard alone', async () => {
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
});

test('columns sort in both directions, and say so', async () => {
  const page = await openGallery();
  const header = page.getByRole('columnheader', { name: 'Position' }).first();
  expect(await header.getAttribute('aria-sort')).toBe('ascending');
  await header.getByRole('button').press('Enter');
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
});

test('the whole time is in a tooltip', async () => {
  const page = await openGallery();
  await page.getByText('9 hours ago').first().hover();
  expect(await page.getByRole('tooltip').textContent()).toMatch(/\d\d:\d\d:\d\d/);
});

test('the numbers of a chart are a table, one press away', async () => {
  const page = await openGallery();
  const chart = page.getByRole('region', { name: 'Joins', exact: true });
  await chart.getByRole('button', { name: 'Numbers' }).click();
  const cells = chart.getByRole('row').nth(1).locator('th, td');
  expect(await cells.allTextContents()).toEqual(['2 Jan 2030', '180']);
});

test('shortcuts of single keys can be switched off, which is remembered', async () => {
  const page = await openGallery();
  const search = page.getByLabel('Search members');
  const isFocused = () => search.evaluate((one) => one === document.activeElement);
  await page.keyboard.press('/');
  expect(await isFocused()).toBe(true);
  await press(page, 'Help');
  await page.getByLabel('Single-key shortcuts').uncheck();
  await page.reload();
  await page.getByRole('heading', { name: 'Parts' }).waitFor();
  await page.keyboard.press('/');
  expect(await isFocused()).toBe(false);
});
