/** The credits screen: held credits by code, every decision about them, and its undo. */
import { expect, test } from 'vitest';
import type { HeldCredits } from '../../contract/operator/credits/credits.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { follow } from '../support/console-visit.ts';

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
  await page.getByText('Nothing waits.').waitFor();
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
    await page.getByText('4 credits of 1 code').waitFor();
    await expect
      .poll(() => row.textContent())
      .toContain('All further credits of this code are held.');
    await expectAccessibleConsole(page);
    await row.click();
    await sheet.getByRole('link', { name: 'friend3@example.com' }).first().waitFor();
    await expectAccessibleConsole(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => sheet.count()).toBe(0);
  }

  await follow(page, '/overview');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.getByRole('link', { name: 'Credits 4' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('q');
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
  await confirm(/^1 credit is refused\.$/);
  await sheet.getByText('3 credits', { exact: true }).waitFor();
  await page.keyboard.press('a');
  await confirm(/^3 credits are given\.$/);
  await sheet.getByText('Nothing of this code waits any more.').waitFor();
  await sheet.getByText('3 given, 1 refused').waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Credits 4' }).count()).toBe(0);
  await page.keyboard.press('u');
  await dialog.waitFor();
  await page.keyboard.press('Control+Enter');
  await sheet.getByText('3 credits', { exact: true }).waitFor();
  await page.keyboard.press('h');
  await confirm(/^Further credits of .* are given, unless a rule finds something\.$/);
  await sheet.getByRole('button', { name: 'Hold further credits' }).waitFor();

  // A kind is decided whole, whatever the code.
  await page.setViewportSize(PHONE);
  await follow(page, '/credits?rule=code-on-hold');
  await page.getByRole('button', { name: 'Approve this kind' }).click();
  await dialog.getByText('3 credits are given.').waitFor();
  await dialog.getByLabel('Reason').fill('a test');
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('No held credit matches').waitFor();
  await page.getByRole('button', { name: 'Show all that waits' }).click();
  await page.getByText('Nothing waits.').waitFor();
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
  await dialog.getByText(/^2 held credits of friends from there wait as before/).waitFor();
  await expectAccessibleConsole(page);
  await confirm('Trust');
  await dialog.getByText('2 credits are given.').waitFor();
  await page.getByRole('button', { name: 'Distrust the network of guest1@example.com' }).waitFor();
  await confirm('Approve');
  await page.getByText('Nothing of this code waits any more.').waitFor();
});
