/** Acting from the console: members, masks and joining, on a server of its own; and the log. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { follow } from '../support/console-visit.ts';

const browser = openTestBrowser();
const server = openConsoleServer(browser);

beforeAll(async () => {
  const ada = await server.joinLine('ada');
  for (const name of ['grace', 'edith', 'joan']) await server.joinLine(name, ada.referral_code);
});

/** Gives the reason, confirms, and waits for the toast. */
async function confirm(page: Page, dialog: Locator, label: string): Promise<void> {
  await dialog.getByRole('listitem').first().waitFor();
  await dialog.getByLabel('Reason').fill('a test of the console');
  await dialog.getByRole('button', { name: label, exact: true }).click();
  await expect.poll(() => dialog.count()).toBe(0);
  await page.locator('.toast').first().waitFor();
}

test.each([
  ['a phone', PHONE],
  ['a desk', DESKTOP],
])('masks are allocated, released, and the release undone, on %s', async (_name, viewport) => {
  const { page } = await server.visit({ viewport });
  await page.goto('/console/stock');
  await page.getByRole('button', { name: 'Allocate', exact: true }).click();
  const allocate = page.getByRole('dialog', { name: 'Allocate masks' });
  await allocate.getByText('Write how many, and for whom.').waitFor();
  await allocate.getByLabel('Size').selectOption('Large');
  await allocate.getByLabel('Masks').fill('2');
  await allocate.getByLabel('For whom').fill(`the shoot of ${_name}`);
  await allocate.getByText(/^2 masks of size Large are set aside/).waitFor();
  await expectAccessibleConsole(page);
  await confirm(page, allocate, 'Allocate');

  await page.getByRole('row', { name: new RegExp(`the shoot of ${_name}`) }).click();
  await page.getByRole('button', { name: 'Release' }).click();
  const release = page.getByRole('dialog', { name: 'Release 2, Large' });
  await release.getByLabel('Note').fill('not wanted');
  await confirm(page, release, 'Release');

  await follow(page, '/activity');
  await page
    .getByRole('row', { name: /2 masks of size Large were released/ })
    .first()
    .waitFor();
  await expectAccessibleConsole(page);
  await page
    .getByRole('row', { name: /2 masks of size Large were released/ })
    .first()
    .click();
  const sheet = page.getByRole('dialog', { name: /^Entry \d+$/ });
  await sheet.getByText('a test of the console').waitFor();
  await sheet.getByRole('button', { name: 'Undo this change' }).click();
  const undo = page.getByRole('dialog', { name: /^Undo change/ });
  await expectAccessibleConsole(page);
  await confirm(page, undo, 'Undo');
  await sheet.getByText('Undone by').waitFor();
});

test('a member is removed and brought back by keyboard; then all that match are', async () => {
  const { page } = await server.visit();
  await page.goto('/console/members?q=grace');
  await page.getByRole('row', { name: /grace@example\.com/ }).click();
  const sheet = page.getByRole('dialog', { name: 'grace@example.com' });
  await sheet.getByRole('button', { name: 'Change' }).click();
  await expectAccessibleConsole(page);
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const remove = page.getByRole('dialog', { name: 'Remove members' });
  await remove.getByText(/^grace@example\.com at position \d leaves the line\.$/).waitFor();
  await remove.getByText('1 credit is taken back, 1 member loses tier 1.').waitFor();
  await confirm(page, remove, 'Remove');
  await expect.poll(() => sheet.count()).toBe(0);
  await page.getByText('No member matches').waitFor();

  await page.keyboard.press('g');
  await page.keyboard.press('a');
  const row = page.getByRole('row', { name: /1 member was removed/ });
  await row.waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Undo this change' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: /^Undo change/ }).waitFor();
  await page.keyboard.type('it was a mistake');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('row', { name: /1 member came back/ }).waitFor();
  await follow(page, '/members?q=grace');
  await page.getByRole('row', { name: /grace@example\.com/ }).waitFor();

  await follow(page, '/members?q=joan');
  await page.getByRole('row', { name: /joan@example\.com/ }).waitFor();
  await page.getByRole('button', { name: 'Remove these' }).click();
  await confirm(page, page.getByRole('dialog', { name: 'Remove members' }), 'Remove');
  await page.getByText('No member matches').waitFor();
});

test('a member is changed from a sheet, and joining paused and reopened, on a phone', async () => {
  const { page, expectNoise } = await server.visit({ viewport: PHONE });
  await page.goto('/console/members?q=edith');
  await page.getByRole('row', { name: /edith@example\.com/ }).click();
  const sheet = page.getByRole('dialog', { name: 'edith@example.com' });
  await sheet.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('menuitem', { name: 'Adjust points' }).click();
  const points = page.getByRole('dialog', { name: 'Adjust the points of edith@example.com' });
  await points.getByLabel('Points').fill('-3');
  await points.getByText('edith@example.com goes from 1 point to -2.').waitFor();
  await expectAccessibleConsole(page);
  await confirm(page, points, 'Adjust');
  await sheet.getByText(/− 3 by operators = -2 points/).waitFor();

  await sheet.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('menuitem', { name: 'Correct the address' }).click();
  const address = page.getByRole('dialog', { name: 'Correct the address' });
  expectNoise(/409/);
  await address.getByLabel('Address').fill('ada@example.com');
  await address.getByText('Another member has this address.').waitFor();
  await address.getByLabel('Address').fill('edith@example.org');
  await address.getByText('The address edith@example.com becomes edith@example.org.').waitFor();
  await confirm(page, address, 'Correct');
  await page.getByRole('dialog', { name: 'edith@example.org' }).waitFor();

  await follow(page, '/settings');
  await page.getByRole('button', { name: 'Pause joining' }).click();
  const pause = page.getByRole('dialog', { name: 'Pause joining' });
  await pause.getByLabel('What visitors are told').fill('We open again on Friday.');
  await pause.getByText('The site and the API answer: We open again on Friday.').waitFor();
  await expectAccessibleConsole(page);
  await confirm(page, pause, 'Pause');
  await page.getByRole('button', { name: 'Reopen joining' }).waitFor();
  await expectAccessibleConsole(page);

  const visitor = await browser.visit({ viewport: PHONE, baseURL: server.origin() });
  visitor.expectNoise(/503/);
  await visitor.open('/');
  await visitor.page.locator('input[type=email]').first().fill('late@example.com');
  await visitor.page.keyboard.press('Enter');
  await visitor.page.getByText('We open again on Friday.').first().waitFor();

  await page.getByRole('button', { name: 'Reopen joining' }).click();
  const reopen = page.getByRole('dialog', { name: 'Reopen joining' });
  await reopen.getByText('Everybody can join again.').waitFor();
  await confirm(page, reopen, 'Reopen');
  await page.getByRole('button', { name: 'Pause joining' }).waitFor();
});
