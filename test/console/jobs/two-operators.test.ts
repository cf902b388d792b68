/** Two operators at once: what one does is told to the other, and nothing happens twice. */
import { beforeAll, expect, test } from 'vitest';
import type { AuditPage, MadeChange, WantedChange } from '../../../contract/operator/changes.ts';
import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { Member } from '../../../contract/schemas.ts';
import { expectAccessibleConsole } from '../../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, type Visitor } from '../../support/browser.ts';
import { openConsoleServer } from '../../support/console-server.ts';
import { startMailbox } from '../../support/smtp-mailbox.ts';

/** Too busy for any mail, so that a campaign stays under way. */
const mailbox = await startMailbox({
  react: (moment) => (moment === 'recipient' ? 451 : undefined),
});
const browser = openTestBrowser();
const server = openConsoleServer(browser, { SMTP_URL: `${mailbox.url}?tls=off` });

let member: Member;
let count = 0;
beforeAll(async () => {
  for (const name of ['first', 'second']) await server.joinLine(name);
});

/** Two consoles with the sheet of the same new member open, and a dialog in each. */
async function openTwice(item: string): Promise<readonly [Visitor['page'], Visitor['page']]> {
  count += 1;
  member = await server.joinLine(`shared-${count}`);
  const pages = [];
  for (let index = 0; index < 2; index += 1) {
    const { page, allowNoise } = await server.visit();
    // Chromium reports refused calls.
    allowNoise(/40[49]/);
    await page.goto(`/console/members?q=shared-${count}&open=${member.id}`);
    await page.locator('.sheet').getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    pages.push(page);
  }
  return pages as [Visitor['page'], Visitor['page']];
}

async function fill(page: Visitor['page'], label: string, text: string): Promise<void> {
  const dialog = page.locator('dialog[open]');
  await dialog.getByLabel(label).fill(text);
  await dialog.getByRole('listitem').first().waitFor();
}

async function confirm(page: Visitor['page'], label: string): Promise<void> {
  const dialog = page.locator('dialog[open]');
  await dialog.getByRole('listitem').first().waitFor();
  await dialog.getByLabel('Reason').fill('a test of two');
  await dialog.getByRole('button', { name: label, exact: true }).click();
}

const isClosed = (page: Visitor['page']) =>
  expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
const refusal = (page: Visitor['page'], text: RegExp | string) =>
  page.locator('dialog[open]').getByRole('alert').filter({ hasText: text }).waitFor();

/** What the log says of the member, newest first. */
async function changesOf(id: string): Promise<string[]> {
  const query = `?subject_kind=member&subject_id=${id}`;
  const { entries } = await server.call<AuditPage>(operatorPaths.changes + query);
  return entries.map(({ summary }) => summary);
}

test('both correct the same address: the second sees the first, and decides anew', async () => {
  const [one, two] = await openTwice('Correct the address');
  await fill(one, 'Address', `one-${count}@example.com`);
  await fill(two, 'Address', `two-${count}@example.com`);
  await confirm(one, 'Correct');
  await isClosed(one);
  await confirm(two, 'Correct');
  await refusal(two, /came in between: look at the preview again/);
  await two.getByText(`The address one-${count}@example.com becomes`).waitFor();
  // What was written stays.
  expect(await two.getByRole('textbox', { name: 'Address' }).inputValue()).toBe(
    `two-${count}@example.com`,
  );
  expect(await two.getByLabel('Reason').inputValue()).toBe('a test of two');
  await expectAccessibleConsole(two, 'dialog');
  await two.setViewportSize(DESKTOP);
  await confirm(two, 'Correct');
  await isClosed(two);
  await two.getByRole('dialog', { name: `two-${count}@example.com` }).waitFor();
  expect(await changesOf(member.id)).toHaveLength(2);
});

test('both give points: once each, and never the second unseen', async () => {
  const [one, two] = await openTwice('Adjust points');
  await fill(one, 'Points', '5');
  await fill(two, 'Points', '5');
  await confirm(one, 'Adjust');
  await isClosed(one);
  await confirm(two, 'Adjust');
  await refusal(two, /came in between/);
  expect(await changesOf(member.id)).toEqual(['A member got 5 points.']);
  await two.getByText('goes from 5 points to 10.').waitFor();
});

test('one removes, while the other has the sheet and a dialog open', async () => {
  const [one, two] = await openTwice('Remove');
  await two.keyboard.press('Escape');
  await isClosed(two);
  await two.locator('.sheet').getByRole('button', { name: 'Change', exact: true }).click();
  await two.getByRole('menuitem', { name: 'Adjust points' }).click();
  await fill(two, 'Points', '3');
  await confirm(one, 'Remove');
  await isClosed(one);
  await confirm(two, 'Adjust');
  await refusal(two, /\w/);
  expect(await two.getByLabel('Reason').inputValue()).toBe('a test of two');
  await two.keyboard.press('Escape');
  await isClosed(two);
  await two.locator('.sheet').getByText('Not in line any more').waitFor();
  expect(await two.locator('.sheet').getByRole('button', { name: 'Change' }).count()).toBe(0);
  await expectAccessibleConsole(two);
});

test('both remove the same member: it happens once', async () => {
  const [one, two] = await openTwice('Remove');
  await two.locator('dialog[open]').getByRole('listitem').first().waitFor();
  await confirm(one, 'Remove');
  await isClosed(one);
  await confirm(two, 'Remove');
  await refusal(two, /\w/);
  const { entries } = await server.call<AuditPage>(operatorPaths.changes);
  expect(entries.filter(({ action }) => action === 'remove-members')).toHaveLength(2);
});

test('more members match by now than the preview said: none is removed unseen', async () => {
  for (const name of ['group-a', 'group-b']) await server.joinLine(name);
  const { page, expectNoise } = await server.visit();
  expectNoise(/409/);
  await page.goto('/console/members?q=group-');
  await page.getByRole('button', { name: 'Remove these' }).click();
  await page.getByText(/^2 members leave the line/).waitFor();
  await server.joinLine('group-c');
  await confirm(page, 'Remove');
  await refusal(page, /\w/);
  await page.getByText(/^3 members leave the line/).waitFor();
  await confirm(page, 'Remove');
  await isClosed(page);
});

test('both undo the same change: the second is told by which it was undone', async () => {
  const wanted: WantedChange = { kind: 'set-stock', input: { size: 'Small', stock: 20 } };
  const { change } = await server.call<MadeChange>(operatorPaths.changes, {
    ...wanted,
    reason: 'a test of two',
  });
  const pages = [];
  for (let index = 0; index < 2; index += 1) {
    const { page, allowNoise } = await server.visit();
    allowNoise(/409/);
    await page.goto(`/console/activity?open=${change}`);
    await page.getByRole('button', { name: 'Undo this change' }).click();
    pages.push(page);
  }
  const [one, two] = pages as [Visitor['page'], Visitor['page']];
  await confirm(one, 'Undo');
  await isClosed(one);
  await confirm(two, 'Undo');
  await refusal(two, new RegExp(`Change ${change} was undone already, by \\d+\\.`));
  await two.keyboard.press('Escape');
  await two.getByText('Undone by').waitFor();
});

test('one cancels a campaign while the other looks at it, and presses too', async () => {
  const { campaign, revision } = await server.call<Campaign>(operatorPaths.campaigns, {
    subject: 'Soon',
    body: 'Soon.',
    filter: {},
  });
  await server.call(operatorPaths.changes, {
    kind: 'send-campaign',
    input: { campaign, revision },
    reason: 'a test of two',
  });
  const watching = await server.visit();
  const late = await server.visit();
  late.expectNoise(/409/);
  for (const { page } of [watching, late]) {
    await page.goto(`/console/campaigns?open=${campaign}`);
    await page.getByRole('button', { name: 'Cancel campaign' }).waitFor();
  }
  await late.page.getByRole('button', { name: 'Cancel campaign' }).click();
  await late.page.locator('dialog[open]').getByRole('listitem').first().waitFor();
  await server.call(operatorPaths.changes, {
    kind: 'cancel-campaign',
    input: { campaign },
    reason: 'a test of two',
  });
  await watching.page.getByText('Cancelled', { exact: true }).first().waitFor();
  await expect
    .poll(() => watching.page.getByRole('button', { name: 'Cancel campaign' }).count())
    .toBe(0);
  await confirm(late.page, 'Cancel campaign');
  await refusal(late.page, `Campaign ${campaign} is not being sent: it is cancelled.`);
  const { entries } = await server.call<AuditPage>(operatorPaths.changes);
  expect(entries.filter(({ action }) => action === 'cancel-campaign')).toHaveLength(1);
});
