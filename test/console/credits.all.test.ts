/** The credits screen: held credits by code, every decision about them, and its undo. */
import { expect, test } from 'vitest';
import type { HeldCredits, WaitingCredits } from '../../contract/operator/credits/credits.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { follow, pressInTurn } from '../support/console-visit.ts';
import { holdToasts } from '../support/passing-states.ts';

const browser = openTestBrowser();
/** Its joins leave a trace, by which a network is known. */
const site = openConsoleServer(browser, { LIMITS: 'on', TRUST_PROXY: '127.0.0.1' });
const FRIENDS = 4;

const change = (kind: string, input: object) =>
  site.call(operatorPaths.changes, { kind, input, reason: 'a test' });

test('held credits of a code are refused, approved by keys, and decided by kind', async () => {
  const inviter = await site.joinLine('inviter');
  const { page } = await site.visit({ viewport: PHONE });
  await page.goto('/console/credits');
  await page.getByText('Nobody to check').waitFor();
  await page.getByText(/^The list of throwaway domains dates from /).waitFor();
  await expectAccessibleConsole(page);

  await change('hold-code', { code: inviter.referral_code });
  for (let number = 1; number <= FRIENDS; number += 1)
    await site.joinLine(`friend${number}`, inviter.referral_code);
  await page.reload();
  const row = page.getByRole('row', { name: /inviter@example\.com/ });
  const sheet = page.getByRole('dialog', { name: 'inviter@example.com' });
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    await page.getByText('4 friends of 1 code').waitFor();
    await expect
      .poll(() => row.textContent())
      .toContain('Every new friend of this code is checked.');
    await expectAccessibleConsole(page);
    await row.click();
    await sheet.getByRole('link', { name: 'friend3@example.com' }).first().waitFor();
    await expectAccessibleConsole(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => sheet.count()).toBe(0);
  }

  await follow(page, '/overview');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.getByRole('link', { name: 'Friends to check 4' }).waitFor();
  await pressInTurn(page, 'g', 'q');
  await row.waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await sheet.getByRole('button', { name: 'Refuse friend1@example.com' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.locator('dialog[open]');
  const confirm = async (sentence: RegExp) => {
    await dialog.getByText(sentence).waitFor();
    await page.keyboard.type('a test');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => dialog.count()).toBe(0);
  };
  await confirm(/^1 friend is refused\.$/);
  await sheet.getByText('3 friends', { exact: true }).waitFor();
  const releaseToasts = await holdToasts(page);
  await page.keyboard.press('a');
  await confirm(/^3 friends are approved\.$/);
  await sheet.getByText('No friend of this code waits.').waitFor();
  await sheet.getByText('3 given, 1 refused').waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Friends to check 4' }).count()).toBe(0);
  await page.keyboard.press('u');
  await dialog.waitFor();
  await releaseToasts();
  await page.keyboard.press('Control+Enter');
  await sheet.getByText('3 friends', { exact: true }).waitFor();
  await page.keyboard.press('h');
  await confirm(/^New friends of .* count again, unless a rule finds something\.$/);
  await sheet.getByRole('button', { name: 'Check every new friend' }).waitFor();

  // A kind is decided whole, whatever the code.
  await page.setViewportSize(PHONE);
  await follow(page, '/credits?rule=code-on-hold');
  await page.getByRole('button', { name: 'Approve this kind' }).click();
  await dialog.getByText('3 friends are approved.').waitFor();
  await dialog.getByLabel('Reason').fill('a test');
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('No code matches').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByText('Nobody to check').waitFor();
});

test('a network is trusted, and what is held from there is approved next', async () => {
  const host = await site.joinLine('host');
  await change('hold-code', { code: host.referral_code });
  for (const name of ['guest1', 'guest2']) await site.joinLine(name, host.referral_code);
  const path = fillPath(operatorPaths.creditsOfCode, host.id);
  await expect
    .poll(async () => (await site.call<HeldCredits>(path)).credits.map(({ network }) => network))
    .toEqual(['known', 'known']);
  const { page } = await site.visit({ viewport: DESKTOP });
  await page.goto(`/console/credits?open=${host.id}`);
  await page.getByRole('button', { name: 'Trust the network of guest2@example.com' }).click();
  const dialog = page.locator('dialog[open]');
  const confirm = async (label: string) => {
    await dialog.getByLabel('Reason').fill('a party');
    await dialog.getByRole('button', { name: label, exact: true }).click();
  };
  await dialog.getByText(/^2 friends from there wait as before/).waitFor();
  await expectAccessibleConsole(page);
  await confirm('Trust');
  await dialog.getByText('2 friends are approved.').waitFor();
  await page.getByRole('button', { name: 'Distrust the network of guest1@example.com' }).waitFor();
  await confirm('Approve');
  await page.getByText('No friend of this code waits.').waitFor();
  // Another test begins with nobody to check.
  await change('release-code', { code: host.referral_code });
});

test('a code that is always checked stays in sight, and is released at its member', async () => {
  const star = await site.joinLine('star');
  await change('hold-code', { code: star.referral_code });
  await site.joinLine('fan', star.referral_code);
  await change('decide-credits', { state: 'given', code: star.referral_code });
  const { page } = await site.visit({ viewport: DESKTOP });
  await page.goto('/console/credits');
  const row = page.getByRole('row', { name: /star@example\.com/ });
  await expect.poll(() => row.textContent()).toContain('Every new friend waits here.');
  const { codes_on_hold: count } = await site.call<WaitingCredits>(operatorPaths.waitingCredits);
  await page.getByLabel(`Always checked (${count})`).check();
  await row.waitFor();
  await expectAccessibleConsole(page);

  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    await page.goto(`/console/members?open=${star.id}`);
    await page.getByText(/^All are checked, since /).waitFor();
    await expectAccessibleConsole(page);
  }
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('menuitem', { name: 'Stop checking new friends' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByText(/count again, unless a rule finds something\.$/).waitFor();
  await dialog.getByLabel('Reason').fill('a test');
  await dialog.getByRole('button', { name: 'Stop checking' }).click();
  await expect.poll(() => page.getByText(/^All are checked, since /).count()).toBe(0);
  await page.getByRole('button', { name: 'Change' }).click({ timeout: 10_000 });
  await page.getByRole('menuitem', { name: 'Check every new friend' }).waitFor();
  await follow(page, '/credits?hold=yes');
  await page.getByLabel(`Always checked (${count - 1})`).waitFor();
  await expect.poll(() => row.count()).toBe(0);
});

test('where the score says no, nothing is bright, and keys open a preview', async () => {
  const host = await site.joinLine('second');
  await site.joinLine('second+1', host.referral_code);
  const { page } = await site.visit({ viewport: DESKTOP });
  await page.goto(`/console/credits?open=${host.id}`);
  const sheet = page.getByRole('dialog', { name: 'second@example.com' });
  await sheet.getByText(/Score 100: from 100 on, friends wait\.$/).waitFor();
  await expect.poll(() => sheet.locator('.button-primary').count()).toBe(0);
  const dialog = page.locator('dialog[open]');
  for (const open of [
    () => page.keyboard.press('a'),
    () => sheet.getByRole('button', { name: 'Approve second+1@example.com' }).click(),
  ]) {
    await open();
    await page.keyboard.press('Control+Enter');
    await dialog.getByText(/^\d+ positions? moves?\.$/).waitFor();
    await dialog
      .getByText('Something unusual was found about 1 friend: scores up to 100.')
      .waitFor();
    await page.keyboard.press('Control+Enter');
    await dialog.getByText('Please write why.').waitFor();
    await expect.poll(() => dialog.locator('.button-primary').count()).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
  }
  const path = fillPath(operatorPaths.creditsOfCode, host.id);
  const { credits } = await site.call<HeldCredits>(path);
  expect(credits).toHaveLength(1);
  await change('decide-credits', { state: 'refused', code: host.referral_code });
});
