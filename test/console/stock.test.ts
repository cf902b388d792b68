/** The stock screen: sizes and allocations, read-only. */
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

test('sizes and allocations are shown as they are, on phone and desk', async () => {
  for (const viewport of [PHONE, DESKTOP]) {
    const { page } = await visitConsole(browser, { viewport });
    await page.goto('/console/stock');
    const medium = page.getByRole('table', { name: 'Sizes' }).getByRole('row', { name: /Medium/ });
    await expect
      .poll(() => medium.getByRole('cell').allTextContents())
      .toEqual(['Medium', '34', '1', '0', '0', '33', 'Change']);
    const rows = page.getByRole('table', { name: 'Allocations' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(4);
    expect(await rows.first().textContent()).toContain('For a friend');
    expect(await rows.first().textContent()).toContain('Released');
  }
});

test('what is searched, chosen, sorted and open is in the URL', async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  await page.goto('/console/stock');
  const rows = page.getByRole('table', { name: 'Allocations' }).locator('tbody tr');
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
  expect(await rows.count()).toBe(1);
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toMatchObject({
    q: 'press',
    state: 'held',
    sort: '-quantity',
  });
  await page.goBack();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

test('a whole look-up by keyboard alone', async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  await page.goto('/console/stock');
  await page.getByRole('row', { name: /For the shoot/ }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('for');
  await page.getByText('2 allocations').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText('For the shoot in March').waitFor();
  await page.keyboard.press('k');
  await sheet.getByText('Not wanted').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => sheet.count()).toBe(0);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect.poll(() => new URL(page.url()).search).toBe('');
});

test('it is accessible with a sheet open', async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  await page.goto('/console/stock');
  await page.getByRole('row', { name: /Press kit/ }).click();
  await page.getByRole('dialog').waitFor();
  await expectAccessibleConsole(page);
});

test('what was loaded stays in view when a later call fails', async () => {
  const { page, expectNoise } = await visitConsole(browser, { viewport: DESKTOP });
  await page.goto('/console/stock');
  await page.getByText('Press kit').waitFor();
  await page.route('**/operator/api/sizes', (route) =>
    route.fulfill({ status: 400, json: { detail: 'The line is being restored.' } }),
  );
  expectNoise(/400/);
  await page.clock.install();
  await page.clock.fastForward('01:00');
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
  await page.getByText('Not up to date: The line is being restored.').waitFor();
  expect(await page.getByRole('table', { name: 'Sizes' }).getByRole('row').count()).toBe(4);
  await expectAccessibleConsole(page);
});

test('what a role may not see is refused in a sentence, without Retry', async () => {
  const { page, expectNoise } = await visitConsole(browser, { viewport: DESKTOP });
  await page.route('**/operator/api/allocations', (route) =>
    route.fulfill({ status: 403, json: { detail: 'You may not see this.' } }),
  );
  expectNoise(/403/);
  await page.goto('/console/stock');
  await page.getByText('You may not see this.').waitFor();
  expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
});

test('without any allocation it says what will be here', async () => {
  const { page } = await visitConsole(browser, { viewport: PHONE });
  await page.route('**/operator/api/allocations', (route) =>
    route.fulfill({ json: { allocations: [] } }),
  );
  await page.goto('/console/stock');
  await page.getByText('No allocations yet').waitFor();
  await expectAccessibleConsole(page);
});

test('it waits with skeletons, shows a failure, and recovers by Retry', async () => {
  const { page, expectNoise } = await visitConsole(browser, { viewport: PHONE });
  let isBroken = true;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/operator/api/allocations', async (route) => {
    await held;
    if (!isBroken) return route.fallback();
    await route.fulfill({ status: 400, json: { detail: 'The line is being restored.' } });
  });
  await page.goto('/console/stock');
  const table = page.getByRole('table', { name: 'Allocations' });
  await expect.poll(() => table.getAttribute('aria-busy')).toBe('true');
  await expectAccessibleConsole(page);
  release();
  expectNoise(/400/);
  await page.getByText('The line is being restored.').waitFor();
  await expectAccessibleConsole(page);
  isBroken = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('Press kit').waitFor();
});
