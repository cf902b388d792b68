/** Acting from the console, alone and beside another operator, on a server of its own. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { AuditPage, MadeChange } from '../../contract/operator/changes.ts';
import type { Campaign } from '../../contract/operator/mail/campaigns.ts';
import type { MaskSizes } from '../../contract/operator/masks.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { follow } from '../support/console-visit.ts';
import { takeToast } from '../support/passing-states.ts';
import { startMailbox } from '../support/smtp-mailbox.ts';

/** Too busy for any mail, so that a campaign stays under way. */
const mailbox = await startMailbox({
  react: (moment) => (moment === 'recipient' ? 451 : undefined),
});
const browser = openTestBrowser();
const server = openConsoleServer(browser, { SMTP_URL: `${mailbox.url}?tls=off` });

beforeAll(async () => {
  const ada = await server.joinLine('ada');
  for (const name of ['grace', 'edith', 'joan']) await server.joinLine(name, ada.referral_code);
});

const openDialog = (page: Page) => page.locator('dialog[open]');

async function submit(dialog: Locator, label: string): Promise<void> {
  await dialog.getByRole('listitem').first().waitFor();
  await dialog.getByLabel('Reason').fill('a test of the console');
  await dialog.getByRole('button', { name: label, exact: true }).click();
}

/** Gives the reason, confirms, and waits for the toast. */
async function confirm(page: Page, dialog: Locator, label: string): Promise<void> {
  await submit(dialog, label);
  await expect.poll(() => dialog.count()).toBe(0);
  await takeToast(page);
}

async function choose(page: Page, item: string): Promise<void> {
  await page.locator('.sheet').getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

const refusal = (page: Page, text: RegExp | string) =>
  openDialog(page).getByRole('alert').filter({ hasText: text }).waitFor();

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect.poll(() => openDialog(page).count()).toBe(0);
}

/** What another operator does meanwhile. */
const meanwhile = (kind: string, input: object) =>
  server.call<MadeChange>(operatorPaths.changes, { kind, input, reason: 'meanwhile' });

async function countChanges(action: string): Promise<number> {
  const { entries } = await server.call<AuditPage>(operatorPaths.changes);
  return entries.filter((entry) => entry.action === action).length;
}

test('masks are allocated, released, and the release undone, on phone and desk', async () => {
  const { page } = await server.visit({ viewport: PHONE });
  await page.goto('/console/stock');
  await page.getByRole('button', { name: 'Allocate', exact: true }).click();
  const allocate = page.getByRole('dialog', { name: 'Allocate masks' });
  await allocate.getByText('Fill in “For whom”.').waitFor();
  await allocate.getByLabel('Size').selectOption('Large');
  await allocate.getByLabel('Masks').fill('2');
  await allocate.getByLabel('For whom').fill('the shoot');
  await allocate.getByText(/^2 masks of size Large are set aside/).waitFor();
  await expectAccessibleConsole(page);
  await confirm(page, allocate, 'Allocate');

  await page.setViewportSize(DESKTOP);
  await page.getByRole('row', { name: /the shoot/ }).click();
  await page.getByRole('button', { name: 'Release' }).click();
  const release = page.getByRole('dialog', { name: 'Release 2, Large' });
  await release.getByLabel('Note').fill('not wanted');
  await confirm(page, release, 'Release');

  await follow(page, '/activity');
  const row = page.getByRole('row', { name: /2 masks of size Large were released/ });
  await row.waitFor();
  await expectAccessibleConsole(page);
  await page.setViewportSize(PHONE);
  await row.click();
  const sheet = page.getByRole('dialog', { name: /^Entry \d+$/ });
  await sheet.getByText('a test of the console').waitFor();
  await sheet.getByRole('button', { name: 'Undo this change' }).click();
  const undo = page.getByRole('dialog', { name: /^Undo change/ });
  await expectAccessibleConsole(page);
  await confirm(page, undo, 'Undo');
  await sheet.getByText('Undone by').waitFor();
});

test('a member is changed from a sheet, and joining paused and reopened, on a phone', async () => {
  const { page, expectNoise } = await server.visit({ viewport: PHONE });
  await page.goto('/console/members?q=edith');
  await page.getByRole('row', { name: /edith@example\.com/ }).click();
  const sheet = page.getByRole('dialog', { name: 'edith@example.com' });
  await choose(page, 'Adjust points');
  const points = page.getByRole('dialog', { name: 'Adjust the points of edith@example.com' });
  await points.getByLabel('Points').fill('-3');
  await points.getByText('edith@example.com goes from 1 point to -2.').waitFor();
  await expectAccessibleConsole(page);
  await confirm(page, points, 'Adjust');
  await sheet.getByText(/− 3 by operators = -2 points/).waitFor();

  await choose(page, 'Correct the address');
  const address = page.getByRole('dialog', { name: 'Correct the address' });
  expectNoise(/409/);
  await address.getByLabel('Address').fill('ada@example.com');
  await address.getByText('Another member has this address.').waitFor();
  // What was written is refused: neither loading nor trying again is the matter.
  await expect.poll(() => address.getByText('could not be loaded').count()).toBe(0);
  await expect.poll(() => address.getByRole('button', { name: 'Retry' }).count()).toBe(0);
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
  await page.getByRole('button', { name: 'Reopen joining' }).click();
  await expect
    .poll(() => server.joinLine('late').catch(String))
    .toContain('We open again on Friday.');
  const reopen = page.getByRole('dialog', { name: 'Reopen joining' });
  await reopen.getByText('Everybody can join again.').waitFor();
  await confirm(page, reopen, 'Reopen');
  await page.getByRole('button', { name: 'Pause joining' }).waitFor();
});

test('a change is decided anew after one of another operator, and none made twice', async () => {
  const { page, expectNoise, allowNoise } = await server.visit({ viewport: PHONE });
  const dialog = openDialog(page);
  expectNoise(/409/);
  allowNoise(/404/);
  await page.goto('/console/stock');
  await page.getByRole('button', { name: 'Change the stock of Medium' }).press('Enter');
  await page.getByText('Enter another number.').waitFor();
  await page.getByLabel('Stock', { exact: true }).fill('30');
  await dialog.getByRole('listitem').first().waitFor();
  await meanwhile('set-stock', { size: 'Medium', stock: 33 });
  await submit(dialog, 'Change');
  await refusal(page, /\w/);
  await dialog.getByText(/33/).waitFor();
  const stockOfMedium = async () =>
    (await server.call<MaskSizes>(operatorPaths.sizes)).sizes.find(({ name }) => name === 'Medium')
      ?.stock;
  await expect.poll(stockOfMedium).toBe(33);
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await expect.poll(stockOfMedium).toBe(30);
  const row = page.getByRole('table', { name: 'Sizes' }).getByRole('row', { name: /Medium/ });
  await expect.poll(() => row.getByRole('cell').nth(1).textContent()).toBe('30');

  await page.setViewportSize(DESKTOP);
  const { id } = await server.joinLine('shared');
  await follow(page, `/members?open=${id}`);
  const adjusted = await countChanges('adjust-points');
  await choose(page, 'Adjust points');
  await dialog.getByLabel('Points').fill('5');
  await dialog.getByText('goes from 0 points to 5.').waitFor();
  await meanwhile('adjust-points', { member_id: id, by: 5 });
  await submit(dialog, 'Adjust');
  await refusal(page, /came in between: look at the preview again/);
  await page.getByText('goes from 5 points to 10.').waitFor();
  // What was written stays.
  await expect.poll(() => dialog.getByLabel('Points').inputValue()).toBe('5');
  await expect.poll(() => page.getByLabel('Reason').inputValue()).toBe('a test of the console');
  await expectAccessibleConsole(page, 'dialog');
  await expect.poll(() => countChanges('adjust-points')).toBe(adjusted + 1);

  await meanwhile('remove-members', { member_ids: [id] });
  await dialog.getByRole('button', { name: 'Adjust', exact: true }).click();
  await refusal(page, /they may have left/);
  await close(page);
  const sheet = page.locator('.sheet');
  await sheet.getByText('Not in line any more').waitFor();
  await expect.poll(() => sheet.getByRole('button', { name: 'Change' }).count()).toBe(0);
  await expectAccessibleConsole(page);

  const second = await server.joinLine('second');
  const removed = await countChanges('remove-members');
  await follow(page, `/members?open=${second.id}`);
  await choose(page, 'Remove');
  await dialog.getByText(/^second@example\.com at position \d leaves the line\.$/).waitFor();
  await meanwhile('remove-members', { member_ids: [second.id] });
  await submit(dialog, 'Remove');
  await refusal(page, /\w/);
  await expect.poll(() => countChanges('remove-members')).toBe(removed + 1);
});

test('nothing is removed unseen, undone twice, or cancelled twice', async () => {
  for (const name of ['group-a', 'group-b']) await server.joinLine(name);
  const { page, expectNoise } = await server.visit();
  const dialog = openDialog(page);
  expectNoise(/409/);
  await page.goto('/console/members?q=group-');
  await page.getByRole('button', { name: 'Remove these' }).click();
  await page.getByText(/^2 members leave the line/).waitFor();
  await server.joinLine('group-c');
  await submit(dialog, 'Remove');
  await refusal(page, /\w/);
  await page.getByText(/^3 members leave the line/).waitFor();
  await confirm(page, dialog, 'Remove');

  const { change } = await meanwhile('set-stock', { size: 'Small', stock: 20 });
  await follow(page, `/activity?open=${change}`);
  await page.getByRole('button', { name: 'Undo this change' }).click();
  await dialog.getByRole('listitem').first().waitFor();
  await server.call(fillPath(operatorPaths.undoChange, String(change)), { reason: 'meanwhile' });
  await submit(dialog, 'Undo');
  await refusal(page, new RegExp(`Change ${change} was undone already, by \\d+\\.`));
  await close(page);
  await page.getByText('Undone by').waitFor();

  const draft = { subject: 'Soon', body: 'Soon.', filter: { confirmed: false } };
  const { campaign, revision } = await server.call<Campaign>(operatorPaths.campaigns, draft);
  await meanwhile('send-campaign', { campaign, revision });
  await follow(page, `/campaigns?open=${campaign}`);
  const cancel = page.locator('main').getByRole('button', { name: 'Cancel campaign' });
  await cancel.click();
  await dialog.getByRole('listitem').first().waitFor();
  await meanwhile('cancel-campaign', { campaign });
  await submit(dialog, 'Cancel campaign');
  await refusal(page, `Campaign ${campaign} is not being sent: it is cancelled.`);
  await close(page);
  await page.getByText('Cancelled', { exact: true }).first().waitFor();
  await expect.poll(() => cancel.count()).toBe(0);
  await expect.poll(() => countChanges('cancel-campaign')).toBe(1);
});
