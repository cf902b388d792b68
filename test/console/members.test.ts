/** The members screen: the list with its filter, and the sheet of one member. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { visitConsole } from '../support/console-visit.ts';

const browser = openTestBrowser();
/** Told apart from the members of other tests. */
const RUN = `r${Date.now().toString(36)}`;
const address = (name: string) => `${name}.${RUN}@lists.example`;
/** More than a page. */
const OTHERS = 60;

let inviter: Member;

async function join(name: string, referredBy: string | null = null): Promise<Member> {
  const response = await fetch(inject('siteUrl') + apiPaths.join(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: address(name), referred_by: referredBy }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Member;
}

beforeAll(async () => {
  inviter = await join('inviter');
  for (const name of ['friend-one', 'friend-two', 'friend-three'])
    await join(name, inviter.referral_code);
  for (let index = 0; index < OTHERS; index += 1) await join(`other-${index}`);
});

const rowsOf = (page: Page) =>
  page.getByRole('table', { name: 'Members' }).locator('tbody tr:not(.skeleton-row)');
const openList = (page: Page, query = '') => page.goto(`/console/members?q=${RUN}${query}`);

test('members are listed, searched and sorted, on phone and desk', async () => {
  for (const viewport of [PHONE, DESKTOP]) {
    const { page } = await visitConsole(browser, { viewport });
    await openList(page, '&sort=-referrals');
    await expect.poll(() => rowsOf(page).count()).toBe(50);
    await page.getByText(`${OTHERS + 4} members`).waitFor();
    expect(await rowsOf(page).first().textContent()).toContain(address('inviter'));
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(OTHERS + 4);
    await page.getByLabel('Search members').fill(`friend-two.${RUN}`);
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await page.getByLabel('Search members').fill('#1');
    await expect.poll(() => rowsOf(page).first().textContent()).toContain('#1');
    await page.getByLabel('Search members').fill(`nobody.${RUN}`);
    await page.getByText('No member matches').waitFor();
    await page.getByRole('button', { name: 'Show everybody' }).click();
    await expect.poll(() => rowsOf(page).count()).toBeGreaterThan(1);
  }
});

test('a filter is chosen in a dialog, stands in chips and the URL, and is taken back', async () => {
  for (const viewport of [PHONE, DESKTOP]) {
    const { page } = await visitConsole(browser, { viewport });
    await openList(page);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Credit for their referrer').selectOption('Given');
    await page.getByLabel('Address').selectOption('Not confirmed');
    await expectAccessibleConsole(page, '[open]');
    await page.setViewportSize(viewport);
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(3);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ q: RUN, credit: 'given', confirmed: 'no' });
    await page.reload();
    await expect.poll(() => rowsOf(page).count()).toBe(3);
    await page.getByRole('button', { name: 'Remove the filter Credit: given' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(50);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  }
});

test('the tree of invites is walked down and up, each member with a URL', async () => {
  for (const viewport of [PHONE, DESKTOP]) {
    const { page } = await visitConsole(browser, { viewport });
    await openList(page, '&sort=-referrals');
    await rowsOf(page).first().click();
    const sheet = page.getByRole('dialog', { name: address('inviter') });
    await sheet.getByText('3 friends × 2 = 6 points.').waitFor();
    await sheet.getByText('3 given').waitFor();
    await expect.poll(() => sheet.getByText('welcome').count()).toBe(1);
    await sheet.getByRole('link', { name: address('friend-two') }).click();
    const friend = page.getByRole('dialog', { name: address('friend-two') });
    await friend.getByText('0 friends × 2 + 1 for an invite = 1 point.').waitFor();
    await page.reload();
    await friend.getByRole('link', { name: new RegExp(address('inviter')) }).click();
    await sheet.getByText('3 given').waitFor();
    await page.goBack();
    await friend.waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await rowsOf(page).first().waitFor();
  }
});

test('notes are written, changed and deleted', async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  await page.goto(`/console/members?open=${inviter.id}`);
  await page.getByLabel('New note').fill('Met at the fair.');
  await page.getByRole('button', { name: 'Add note' }).click();
  const note = page.locator('.note-list li').first();
  await note.getByText('Met at the fair.').waitFor();
  await note.getByRole('button', { name: 'Edit' }).click();
  await note.getByLabel('Note').fill('Met at the shop.');
  await note.getByRole('button', { name: 'Save' }).click();
  await note.getByText('Met at the shop.').waitFor();
  await note.getByText('edited').waitFor();
  await expectAccessibleConsole(page);
  await page.setViewportSize(DESKTOP);
  await note.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => page.getByText('Met at the shop.').count()).toBe(0);
});

test('what is filtered is exported as a file', async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
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
});

test('a refused export says why', async () => {
  const { page, expectNoise } = await visitConsole(browser, { viewport: PHONE });
  await page.route(`**${operatorPaths.exportMembers}`, (route) =>
    route.fulfill({ status: 409, json: { detail: 'Another backup or export is running.' } }),
  );
  expectNoise(/409/);
  await openList(page);
  await page.getByRole('button', { name: 'Export these' }).click();
  await page.getByRole('menuitem', { name: /CSV/ }).click();
  await page.getByText('Another backup or export is running.', { exact: true }).waitFor();
});

test('a whole look-up by keyboard alone', async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  await page.goto('/console/stock');
  await page.getByRole('heading', { name: 'Stock' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await rowsOf(page).first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type(`friend-t`);
  await page.keyboard.press('Enter');
  await expect.poll(() => rowsOf(page).count()).toBe(2);
  await page.keyboard.press('Tab');
  await page.keyboard.press('f');
  const dialog = page.getByRole('dialog', { name: 'Filter members' });
  await dialog.waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Giv');
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await page.getByText('1 member selected').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText('+ 1 for an invite').waitFor();
  const name = await sheet.getByRole('heading').first().textContent();
  await page.keyboard.press('k');
  await expect.poll(() => sheet.getByRole('heading').first().textContent()).not.toBe(name);
  await page.keyboard.press('Escape');
  await expect.poll(() => sheet.count()).toBe(0);
});

test('a search that takes several answers goes on by itself', async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  let calls = 0;
  await page.route(`**${operatorPaths.listMembers}`, async (route) => {
    calls += 1;
    if (calls > 3) return route.fallback();
    await route.fulfill({
      json: { members: [], next: `position.asc.${calls}.0`, is_partial: true },
    });
  });
  await openList(page);
  await expect.poll(() => rowsOf(page).count()).toBe(50);
  expect(calls).toBe(4);
});

test('it waits with skeletons, shows a failure, and recovers by Retry', async () => {
  const { page, expectNoise } = await visitConsole(browser, { viewport: PHONE });
  let isBroken = true;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${operatorPaths.listMembers}`, async (route) => {
    await held;
    if (!isBroken) return route.fallback();
    await route.fulfill({ status: 400, json: { detail: 'The line is being restored.' } });
  });
  await openList(page);
  const table = page.getByRole('table', { name: 'Members' });
  await expect.poll(() => table.getAttribute('aria-busy')).toBe('true');
  await expectAccessibleConsole(page);
  release();
  expectNoise(/400/);
  await page.getByText('The line is being restored.').waitFor();
  await expectAccessibleConsole(page);
  isBroken = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => rowsOf(page).count()).toBe(50);
});

test('the sheet of a member who has left says so, and the list stays', async () => {
  const { page, expectNoise } = await visitConsole(browser, { viewport: DESKTOP });
  expectNoise(/404/);
  await openList(page, '&open=018f2b5e-0000-7000-8000-000000000000');
  await page.getByRole('dialog').getByText('Not in line any more').waitFor();
  await rowsOf(page).first().waitFor();
});

test('an empty line says what will be here', async () => {
  const { page } = await visitConsole(browser, { viewport: PHONE });
  await page.route(`**${operatorPaths.listMembers}`, (route) =>
    route.fulfill({ json: { members: [], next: null, is_partial: false } }),
  );
  await page.goto('/console/members');
  await page.getByText('Nobody is in line yet').waitFor();
  await expectAccessibleConsole(page);
});

test('it is accessible as a list, with selected rows and with an open sheet', async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  await openList(page, `&sort=-referrals`);
  await rowsOf(page).first().waitFor();
  await page.getByRole('checkbox', { name: `Select ${address('inviter')}` }).check();
  await expectAccessibleConsole(page);
  await page.setViewportSize(DESKTOP);
  await rowsOf(page).first().click();
  await page.getByRole('dialog').getByText('3 given').waitFor();
  await expectAccessibleConsole(page);
});
