/** The stock screen: sizes and allocations, read-only. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Allocations } from '../../contract/operator/masks.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { callOperator, visitConsole } from '../support/console-visit.ts';

const browser = openTestBrowser();

const change = (kind: string, input: object) =>
  callOperator(operatorPaths.changes, { kind, input, reason: 'A test' });
const allocate = (input: object) => change('allocate-masks', input);

beforeAll(async () => {
  for (const [size, quantity, note] of [
    ['Small', 2, 'For the shoot in March'],
    ['Large', 5, 'Press kit'],
    ['Medium', 1, 'A replacement'],
  ] as const)
    await allocate({ size, quantity, note });
  await allocate({ size: 'Large', quantity: 3, note: 'For a friend' });
  const { allocations } = await callOperator<Allocations>(operatorPaths.allocations);
  const [last] = allocations;
  await change('release-masks', { allocation_id: last?.id, note: 'Not wanted' });
});

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Allocations' }).locator('tbody tr');

test('sizes and allocations are shown as they are, and the URL has search and sheet', async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  await page.goto('/console/stock');
  const rows = rowsOf(page);
  const medium = page.getByRole('table', { name: 'Sizes' }).getByRole('row', { name: /Medium/ });
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    await expect
      .poll(() => medium.getByRole('cell').allTextContents())
      .toEqual(['Medium', '34', '1', '0', '0', '33', 'Change']);
    await expect.poll(() => rows.count()).toBe(4);
    await expect.poll(() => rows.first().textContent()).toMatch(/For a friend.*Released/);
  }

  await page.getByLabel('Held').check();
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByRole('button', { name: 'Masks' }).click();
  await page.getByRole('button', { name: 'Masks' }).click();
  await expect.poll(() => rows.first().textContent()).toContain('Press kit');
  await page.getByLabel('Search allocations').fill('press');
  await expect.poll(() => rows.count()).toBe(1);
  await rows.first().click();
  await page.getByRole('dialog', { name: '5 masks, Large' }).waitFor();
  await page.reload();
  await page.getByRole('dialog', { name: '5 masks, Large' }).waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
    .toMatchObject({ q: 'press', state: 'held', sort: '-quantity' });
  await expectAccessibleConsole(page);
  await page.goBack();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});
