/** Two operators at once: what one does is told to the other, and nothing happens twice. */
import { beforeAll, expect, test } from 'vitest';
import type { AuditPage, MadeChange, WantedChange } from '../../../contract/operator/changes.ts';
import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { Member } from '../../../contract/schemas.ts';
import { expectAccessibleConsole } from '../../support/accessible-console.ts';
import { openTestBrowser, type Visitor } from '../../support/browser.ts';
import { openConsoleServer } from '../../support/console-server.ts';
import { follow } from '../../support/console-visit.ts';
import { startMailbox } from '../../support/smtp-mailbox.ts';

/** Too busy for any mail, so that a campaign stays under way. */
const mailbox = await startMailbox({
  react: (moment) => (moment === 'recipient' ? 451 : undefined),
});
const browser = openTestBrowser();
const server = openConsoleServer(browser, { SMTP_URL: `${mailbox.url}?tls=off` });

type Page = Visitor['page'];

let count = 0;
beforeAll(async () => {
  for (const name of ['first', 'second']) await server.joinLine(name);
});

/** Two consoles, each of an operator who goes from one thing to the next. */
async function openTwo(): Promise<readonly [Page, Page]> {
  const pages: Page[] = [];
  for (let index = 0; index < 2; index += 1) {
    const { page, allowNoise } = await server.visit();
    // Chromium reports refused calls.
    allowNoise(/40[49]/);
    await page.goto('/console/members');
    await page.getByRole('row', { name: /first@example\.com/ }).waitFor();
    pages.push(page);
  }
  return pages as [Page, Page];
}

/** In both consoles the sheet of the same new member, and a dialog. */
async function share(pages: readonly Page[], item: string): Promise<Member> {
  count += 1;
  const member = await server.joinLine(`shared-${count}`);
  for (const page of pages) {
    await follow(page, `/members?q=shared-${count}&open=${member.id}`);
    await page.getByRole('dialog', { name: `shared-${count}@example.com` }).waitFor();
    await choose(page, item);
  }
  return member;
}

async function choose(page: Page, item: string): Promise<void> {
  await page.locator('.sheet').getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

async function fill(page: Page, label: string, text: string): Promise<void> {
  const dialog = page.locator('dialog[open]');
  await dialog.getByLabel(label).fill(text);
  await dialog.getByRole('listitem').first().waitFor();
}

async function confirm(page: Page, label: string): Promise<void> {
  const dialog = page.locator('dialog[open]');
  await dialog.getByRole('listitem').first().waitFor();
  await dialog.getByLabel('Reason').fill('a test of two');
  await dialog.getByRole('button', { name: label, exact: true }).click();
}

const isClosed = (page: Page) => expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
const refusal = (page: Page, text: RegExp | string) =>
  page.locator('dialog[open]').getByRole('alert').filter({ hasText: text }).waitFor();

/** What the log says of the member, newest first. */
async function changesOf(id: string): Promise<string[]> {
  const query = `?subject_kind=member&subject_id=${id}`;
  const { entries } = await server.call<AuditPage>(operatorPaths.changes + query);
  return entries.map(({ summary }) => summary);
}

async function countChanges(action: string): Promise<number> {
  const { entries } = await server.call<AuditPage>(operatorPaths.changes);
  return entries.filter((entry) => entry.action === action).length;
}

test('the second change of a member is decided anew, and no removal is made twice', async () => {
  const [one, two] = await openTwo();
  const corrected = await share([one, two], 'Correct the address');
  await fill(one, 'Address', `one-${count}@example.com`);
  await fill(two, 'Address', `two-${count}@example.com`);
  await confirm(one, 'Correct');
  await isClosed(one);
  await confirm(two, 'Correct');
  await refusal(two, /came in between: look at the preview again/);
  await two.getByText(`The address one-${count}@example.com becomes`).waitFor();
  // What was written stays.
  await expect
    .poll(() => two.getByRole('textbox', { name: 'Address' }).inputValue())
    .toBe(`two-${count}@example.com`);
  await expect.poll(() => two.getByLabel('Reason').inputValue()).toBe('a test of two');
  await expectAccessibleConsole(two, 'dialog');
  await confirm(two, 'Correct');
  await isClosed(two);
  await two.getByRole('dialog', { name: `two-${count}@example.com` }).waitFor();
  await expect.poll(() => changesOf(corrected.id)).toHaveLength(2);

  const rewarded = await share([one, two], 'Adjust points');
  await fill(one, 'Points', '5');
  await fill(two, 'Points', '5');
  await confirm(one, 'Adjust');
  await isClosed(one);
  await confirm(two, 'Adjust');
  await refusal(two, /came in between/);
  await two.getByText('goes from 5 points to 10.').waitFor();
  await expect.poll(() => changesOf(rewarded.id)).toEqual(['A member got 5 points.']);
  await two.keyboard.press('Escape');
  await isClosed(two);

  const before = await countChanges('remove-members');
  await share([one, two], 'Remove');
  await two.keyboard.press('Escape');
  await isClosed(two);
  await choose(two, 'Adjust points');
  await fill(two, 'Points', '3');
  await confirm(one, 'Remove');
  await isClosed(one);
  await confirm(two, 'Adjust');
  await refusal(two, /\w/);
  await expect.poll(() => two.getByLabel('Reason').inputValue()).toBe('a test of two');
  await two.keyboard.press('Escape');
  await isClosed(two);
  const sheet = two.locator('.sheet');
  await sheet.getByText('Not in line any more').waitFor();
  await expect.poll(() => sheet.getByRole('button', { name: 'Change' }).count()).toBe(0);
  await expectAccessibleConsole(two);

  await share([one, two], 'Remove');
  await two.locator('dialog[open]').getByRole('listitem').first().waitFor();
  await confirm(one, 'Remove');
  await isClosed(one);
  await confirm(two, 'Remove');
  await refusal(two, /\w/);
  await expect.poll(() => countChanges('remove-members')).toBe(before + 2);
});

test('nothing is removed unseen, undone twice, or cancelled twice', async () => {
  for (const name of ['group-a', 'group-b']) await server.joinLine(name);
  const [page, two] = await openTwo();
  await follow(page, '/members?q=group-');
  await page.getByRole('button', { name: 'Remove these' }).click();
  await page.getByText(/^2 members leave the line/).waitFor();
  await server.joinLine('group-c');
  await confirm(page, 'Remove');
  await refusal(page, /\w/);
  await page.getByText(/^3 members leave the line/).waitFor();
  await confirm(page, 'Remove');
  await isClosed(page);

  const wanted: WantedChange = { kind: 'set-stock', input: { size: 'Small', stock: 20 } };
  const { change } = await server.call<MadeChange>(operatorPaths.changes, {
    ...wanted,
    reason: 'a test of two',
  });
  for (const each of [page, two]) {
    await follow(each, `/activity?open=${change}`);
    await each.getByRole('button', { name: 'Undo this change' }).click();
  }
  await confirm(page, 'Undo');
  await isClosed(page);
  await confirm(two, 'Undo');
  await refusal(two, new RegExp(`Change ${change} was undone already, by \\d+\\.`));
  await two.keyboard.press('Escape');
  await two.getByText('Undone by').waitFor();

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
  for (const each of [page, two]) {
    await follow(each, `/campaigns?open=${campaign}`);
    await each.getByRole('button', { name: 'Cancel campaign' }).waitFor();
  }
  await two.getByRole('button', { name: 'Cancel campaign' }).click();
  await two.locator('dialog[open]').getByRole('listitem').first().waitFor();
  await server.call(operatorPaths.changes, {
    kind: 'cancel-campaign',
    input: { campaign },
    reason: 'a test of two',
  });
  await page.getByText('Cancelled', { exact: true }).first().waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Cancel campaign' }).count()).toBe(0);
  await confirm(two, 'Cancel campaign');
  await refusal(two, `Campaign ${campaign} is not being sent: it is cancelled.`);
  await expect.poll(() => countChanges('cancel-campaign')).toBe(1);
});
