/** How a change is made from the console, with the stock of a size as the example. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { MaskSizes } from '../../contract/operator/masks.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { callOperator, visitConsole } from '../support/console-visit.ts';

const browser = openTestBrowser();
const button = (page: Page) => page.getByRole('button', { name: 'Change the stock of Medium' });

async function stockOfMedium(): Promise<number | undefined> {
  const { sizes } = await callOperator<MaskSizes>(operatorPaths.sizes);
  return sizes.find(({ name }) => name === 'Medium')?.stock;
}

test('a change is previewed, confirmed by keys, and decided anew after another one', async () => {
  const { page, expectNoise } = await visitConsole(browser, { viewport: DESKTOP });
  await page.goto('/console/stock');
  await button(page).press('Enter');
  await page.getByText('Enter another number.').waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('20');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('listitem').first().waitFor();
  await expectAccessibleConsole(page);
  await page.keyboard.press('Tab');
  await page.keyboard.type('Fourteen were damaged');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => dialog.count()).toBe(0);
  await expect.poll(stockOfMedium).toBe(20);
  const row = page.getByRole('table', { name: 'Sizes' }).getByRole('row', { name: /Medium/ });
  await expect.poll(() => row.getByRole('cell').nth(1).textContent()).toBe('20');
  await page.locator('.toast').waitFor();

  // What somebody else changed meanwhile is shown before the change is made.
  await page.setViewportSize(PHONE);
  await button(page).click();
  await page.getByLabel('Stock', { exact: true }).fill('30');
  await dialog.getByRole('listitem').first().waitFor();
  await callOperator(operatorPaths.changes, {
    kind: 'set-stock',
    input: { size: 'Medium', stock: 33 },
    reason: 'One was lost',
  });
  expectNoise(/409/);
  await page.getByLabel('Reason').fill('Four were damaged');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await dialog.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
  await expect.poll(stockOfMedium).toBe(33);
  await dialog.getByText(/33/).waitFor();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await expect.poll(stockOfMedium).toBe(30);
  await callOperator(operatorPaths.changes, {
    kind: 'set-stock',
    input: { size: 'Medium', stock: 34 },
    reason: 'Back to the start',
  });
});

test('a viewer is offered no change', async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  await page.route(`**${operatorPaths.me}`, (route) =>
    route.fulfill({ json: { kind: 'operator', name: 'Grace', role: 'viewer' } }),
  );
  await page.goto('/console/stock');
  await page
    .getByRole('row', { name: /Medium/ })
    .first()
    .waitFor();
  await expect.poll(() => button(page).count()).toBe(0);
});
