/** The parts that screens of the console are made of: dialogs, sheets, lists, times and charts. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { openTestBrowser, PHONE } from '../support/browser.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { follow } from '../support/console-visit.ts';

const browser = openTestBrowser();
const server = openConsoleServer(browser);
let filled: Awaited<ReturnType<typeof server.fill>>;

beforeAll(async () => {
  filled = await server.fill();
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const layers = (page: Page) => expect.poll(() => page.locator('dialog, .sheet').count());
const isFocused = (target: Locator) =>
  expect.poll(() => target.evaluate((one) => one === document.activeElement));

test('a dialog is accessible while it loads, fails and waits, as are menu and help', async () => {
  const { page, allowNoise } = await server.visit();
  allowNoise(/ERR_CONNECTION_REFUSED/);
  await page.goto('/console/stock');
  const held = Promise.withResolvers<void>();
  let isAway = true;
  await page.route(`**${operatorPaths.previewChange}`, async (route) => {
    await held.promise;
    await (isAway ? route.abort('connectionrefused') : route.fallback());
  });
  await press(page, 'Change the stock of Medium');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Stock').fill('30');
  await dialog.getByText('Working out what changes').waitFor();
  await expectAccessibleConsole(page, 'dialog');
  held.resolve();
  await dialog.getByText('The server cannot be reached.').waitFor();
  await expectAccessibleConsole(page, 'dialog');
  isAway = false;
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await dialog.getByRole('listitem').first().waitFor();

  const answered = Promise.withResolvers<void>();
  await page.route(`**${operatorPaths.changes}`, async (route) => {
    await answered.promise;
    await route.fallback();
  });
  await dialog.getByLabel('Reason').fill('counted again');
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await dialog.locator('button[aria-busy=true]').waitFor();
  await expectAccessibleConsole(page, 'dialog');
  answered.resolve();
  await layers(page).toBe(0);

  await press(page, 'Keyboard shortcuts');
  await layers(page).toBe(1);
  await expectAccessibleConsole(page, 'dialog');
  await page.keyboard.press('Escape');
  await follow(page, `/webhooks?open=${filled.endpoint.id}`);
  await press(page, 'More actions');
  await page.getByRole('menuitem', { name: 'Remove' }).waitFor();
  await expectAccessibleConsole(page);
});

test('a layer holds the focus and gives it back, and a change needs a reason', async () => {
  const { page } = await server.visit();
  await page.goto('/console/stock');
  const opener = page.getByRole('button', { name: 'Change the stock of Small' });
  const reason = page.getByLabel('Reason');
  await opener.press('Enter');
  await isFocused(page.getByLabel('Stock', { exact: true })).toBe(true);
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
  await isFocused(opener).toBe(true);

  await opener.click();
  await page.getByLabel('Stock', { exact: true }).fill('31');
  await page.getByRole('dialog').getByRole('listitem').first().waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByText('Please write why.').waitFor();
  await isFocused(reason).toBe(true);
  await reason.fill('counted again');
  await reason.press('Control+Enter');
  await layers(page).toBe(0);

  // A sheet leaves the list usable on a desk, and covers it on a phone.
  const row = page.getByRole('row', { name: /the shoot/ });
  await row.focus();
  await page.keyboard.press('Enter');
  await layers(page).toBe(1);
  const isInert = () =>
    expect.poll(() => page.locator('.frame').evaluate((frame: HTMLElement) => frame.inert));
  await isInert().toBe(false);
  await page.setViewportSize(PHONE);
  await isInert().toBe(true);
  await page.keyboard.press('Escape');
  await isInert().toBe(false);
  await isFocused(row).toBe(true);
});

test('what the server refused stands beside the button, however long the form is', async () => {
  const { page, allowNoise } = await server.visit();
  allowNoise(/409/);
  await page.setViewportSize({ width: 390, height: 400 });
  await page.goto('/console/stock');
  const detail = 'Another operator was faster.';
  await page.route(`**${operatorPaths.changes}`, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 409, json: { detail } })
      : route.fallback(),
  );
  await press(page, 'Change the stock of Medium');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Stock').fill('29');
  await dialog.getByLabel('Reason').fill('counted again');
  await dialog.getByLabel('Stock').focus();
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  const failure = dialog.getByText(detail);
  await failure.waitFor();
  const isSeen = () =>
    failure.evaluate((one) => {
      const { left, top } = one.getBoundingClientRect();
      return document.elementFromPoint(left + 1, top + 1) === one;
    });
  await expect.poll(isSeen).toBe(true);
});

test('rows are walked, selected and sorted by keys, which can be switched off', async () => {
  const { page } = await server.visit();
  await page.goto('/console/members');
  const list = page.getByRole('table', { name: 'Members', exact: true });
  const selected = page.getByRole('region', { name: 'Selection' }).getByRole('status');
  await list.getByRole('row', { name: /ada@/ }).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Space');
  await expect.poll(() => selected.textContent()).toBe('1 member selected');
  await isFocused(list.getByRole('row', { name: /grace@/ })).toBe(true);
  await page.keyboard.press('Home');
  await isFocused(list.getByRole('row', { name: /ada@/ })).toBe(true);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect.poll(() => selected.count()).toBe(0);
  await list.getByLabel('All on this page').press('Space');
  await expect.poll(() => selected.textContent()).toBe('2 members selected');
  await list.getByLabel('All on this page').press('Space');
  await expect.poll(() => selected.count()).toBe(0);

  const header = list.getByRole('columnheader', { name: 'Position' });
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
  await header.getByRole('button').press('Enter');
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');

  const search = page.getByLabel('Search members');
  await page.keyboard.press('/');
  await isFocused(search).toBe(true);
  await press(page, 'Keyboard shortcuts');
  await page.getByLabel('Single-key shortcuts').uncheck();
  await page.reload();
  await list.getByRole('row', { name: /ada@/ }).waitFor();
  await page.keyboard.press('/');
  await isFocused(search).toBe(false);
});

test('the whole time is in a tooltip, and the numbers of a chart are a table', async () => {
  const { page } = await server.visit();
  await page.goto('/console/members');
  await page.getByRole('row', { name: /ada@/ }).locator('time').hover();
  await page
    .getByRole('tooltip')
    .filter({ hasText: /\d\d:\d\d:\d\d/ })
    .waitFor();
  await follow(page, '/overview');
  const chart = page.getByRole('region', { name: 'Joins', exact: true });
  await chart.getByRole('button', { name: 'Numbers' }).click();
  const cells = chart.getByRole('row').last().locator('td');
  await expect.poll(() => cells.allTextContents()).toEqual(['2', '1']);
});
