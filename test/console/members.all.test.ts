/** The members screen: the list with its filter, and the sheet of one member. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { joinLine } from '../support/browser-line.ts';
import { follow, visitConsole } from '../support/console-visit.ts';
import { takeToast } from '../support/passing-states.ts';

const browser = openTestBrowser();
/** Distinguishes these members from those of other tests. */
const RUN = `r${Date.now().toString(36)}`;
const address = (name: string) => `${name}.${RUN}@lists.example`;
/** More than a page. */
const OTHERS = 60;

let inviter: Member;

const join = (name: string, referredBy: string | null = null) =>
  joinLine({ email: address(name), referredBy });

beforeAll(async () => {
  inviter = await join('inviter');
  for (const name of ['friend-one', 'friend-two', 'friend-three'])
    await join(name, inviter.referral_code);
  for (let index = 0; index < OTHERS; index += 1) await join(`other-${index}`);
});

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Members' }).locator('tbody tr');
const openList = (page: Page, query = '') => page.goto(`/console/members?q=${RUN}${query}`);

test('members are listed, searched, sorted and filtered, on phone and desk', async () => {
  const { page, allowNoise } = await visitConsole(browser, { viewport: PHONE });
  await openList(page, '&sort=-referrals');
  await expect.poll(() => rowsOf(page).count()).toBe(50);
  await page.getByText(`${OTHERS + 4} members`).waitFor();
  await expect.poll(() => rowsOf(page).first().textContent()).toContain(address('inviter'));
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rowsOf(page).count()).toBe(OTHERS + 4);
  await page.getByLabel('Search members').fill(`friend-two.${RUN}`);
  await expect.poll(() => rowsOf(page).count()).toBe(1);
  await page.getByLabel('Search members').fill('#1');
  await expect.poll(() => rowsOf(page).first().textContent()).toContain('#1');
  await page.getByLabel('Search members').fill('first 3');
  await page.getByText('3 members', { exact: true }).waitFor();
  const shown = () => rowsOf(page).allTextContents();
  await expect
    .poll(async () => (await shown()).map((text) => /#\d/.exec(text)?.[0]))
    .toHaveLength(3);
  allowNoise(/422/);
  await page.getByLabel('Search members').fill('#9-3');
  await page.getByText('Positions go upwards, such as 3-9.').waitFor();
  await page.getByLabel('Search members').fill(`nobody.${RUN}`);
  await page.getByText('No member matches').waitFor();
  await page.getByRole('button', { name: 'Show everybody' }).click();
  await expect.poll(() => rowsOf(page).count()).toBeGreaterThan(1);

  // A filter stands in chips and in the URL.
  await page.setViewportSize(DESKTOP);
  await follow(page, `/members?q=${RUN}`);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('Credit for their referrer').selectOption('Given');
  await page.getByLabel('Address').selectOption('Not confirmed');
  await expectAccessibleConsole(page, '[open]');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect.poll(() => rowsOf(page).count()).toBe(3);
  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
    .toEqual({ q: RUN, credit: 'given', confirmed: 'no' });

  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('Positions').fill('1-1');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Positions: 1-1').waitFor();
  await page.getByRole('button', { name: 'Remove the filter Positions: 1-1' }).click();
  await expect.poll(() => rowsOf(page).count()).toBe(3);

  // So does each member of the tree of invites, which is walked up and down.
  await rowsOf(page).filter({ hasText: 'friend-two' }).click();
  const friend = page.getByRole('dialog', { name: address('friend-two') });
  await friend.getByText('0 friends × 2 + 1 for an invite = 1 point.').waitFor();
  await page.reload();
  await friend.getByRole('link', { name: new RegExp(address('inviter')) }).click();
  const sheet = page.getByRole('dialog', { name: address('inviter') });
  await sheet.getByText('3 friends × 2 = 6 points.').waitFor();
  await sheet.getByText('3 given').waitFor();
  await expect.poll(() => sheet.getByText('welcome').count()).toBe(1);
  await sheet.getByRole('link', { name: address('friend-two') }).click();
  await friend.waitFor();
  await page.setViewportSize(PHONE);
  await page.goBack();
  await sheet.waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);

  await expect.poll(() => rowsOf(page).count()).toBe(3);
  await page.getByRole('button', { name: 'Remove the filter Credit: given' }).click();
  await expect.poll(() => rowsOf(page).count()).toBe(50);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('');
});

test('rows are selected, and notes of a member written, changed and deleted', async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  await page.goto(`/console/members?q=inviter.${RUN}`);
  await page.getByRole('checkbox', { name: `Select ${address('inviter')}` }).check();
  await expectAccessibleConsole(page);
  await rowsOf(page).first().click();
  await page.getByRole('dialog').getByText('3 given').waitFor();
  const dialog = page.locator('dialog');
  await page.getByRole('button', { name: 'Add a note' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Please write the note.').waitFor();
  await dialog.getByLabel('Note').fill('Met at the fair.');
  await expectAccessibleConsole(page, 'dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const note = page.locator('.note-list li').first();
  await note.getByText('Met at the fair.').waitFor();
  await note.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Note').fill('Met at the shop.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await note.getByText('Met at the shop.').waitFor();
  await note.getByText('edited').waitFor();
  await expectAccessibleConsole(page);
  await note.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('Met at the shop.').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => page.getByText('Met at the shop.').count()).toBe(0);
});

test('what is filtered is exported as a file; a refused export says why', async () => {
  const { page, expectNoise } = await visitConsole(browser, { viewport: DESKTOP });
  await openList(page, '&credit=given');
  await page.getByRole('button', { name: 'Export these' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /JSON Lines/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('waitlist.jsonl');
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line).email).toSorted()).toEqual(
    ['friend-one', 'friend-three', 'friend-two'].map(address),
  );

  expectNoise(/409/);
  await page.route(`**${operatorPaths.exportMembers}`, (route) =>
    route.fulfill({ status: 409, json: { detail: 'Another backup or export is running.' } }),
  );
  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: 'Export these' }).click();
  await page.getByRole('menuitem', { name: 'CSV, for spreadsheets' }).click();
  await expect(takeToast(page, 'Export failed')).resolves.toMatchObject({
    description: 'Another backup or export is running.',
  });
});

test('a search may take several answers, find nobody, and name somebody who left', async () => {
  const { page, expectNoise } = await visitConsole(browser, { viewport: PHONE });
  let calls = 0;
  let isEmpty = true;
  await page.route(`**${operatorPaths.listMembers}`, async (route) => {
    if (isEmpty) return route.fulfill({ json: { members: [], next: null, is_partial: false } });
    calls += 1;
    if (calls > 3) return route.fallback();
    await route.fulfill({
      json: { members: [], next: `position.asc.${calls}.0`, is_partial: true },
    });
  });
  await page.goto('/console/members');
  await page.getByText('Nobody is in line yet').waitFor();
  await expectAccessibleConsole(page);

  isEmpty = false;
  await page.setViewportSize(DESKTOP);
  await follow(page, `/members?q=${RUN}`);
  await expect.poll(() => rowsOf(page).count()).toBe(50);
  expect(calls).toBe(4);

  expectNoise(/404/);
  await follow(page, `/members?q=${RUN}&open=018f2b5e-0000-7000-8000-000000000000`);
  await page.getByRole('dialog').getByText('Not in line any more').waitFor();
  await expect.poll(() => rowsOf(page).count()).toBe(50);
});
