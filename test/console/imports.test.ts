/** The import screen: a file, its columns, the report, the import and its undo. */
import { expect, test } from 'vitest';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { visitConsole } from '../support/console-visit.ts';
import { holdToasts, takeToast } from '../support/passing-states.ts';
import { isAll } from '../support/test-form.ts';

const browser = openTestBrowser();
const LIST = [
  'Email,Code,Referred by',
  'listed@example.com,listed,',
  'friend-of-listed@example.com,,listed',
  'nobody,,',
  'LISTED@example.com,,',
].join('\n');

test('a list is checked on a phone, imported and taken back at a desk', async () => {
  const { page } = await visitConsole(browser, { viewport: PHONE });
  await page.goto('/console/import');
  await page.getByRole('heading', { name: 'Import', exact: true }).waitFor();
  await expectAccessibleConsole(page);
  await page.getByLabel('Choose a file, or drop one here').setInputFiles({
    name: 'list.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(LIST),
  });
  const address = page.getByLabel('E-mail address');
  await address.waitFor();
  await expect.poll(() => address.locator('option:checked').textContent()).toBe('Email');
  await page.getByText('Such as listed@example.com').waitFor();
  await page.getByRole('button', { name: 'Check the rows' }).click();
  const rows = page.getByRole('table', { name: 'Faults and notes' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(3);
  await expect.poll(() => rows.nth(1).textContent()).toContain('This is not an e-mail address.');
  await expect.poll(() => rows.nth(2).textContent()).toContain('in line 2 of the file');
  await expectAccessibleConsole(page);
  const code = page.getByLabel('Referral code');
  await code.selectOption('Not used');
  await expect.poll(() => rows.count()).toBe(0);
  await expect
    .poll(() => page.getByRole('button', { name: 'Import', exact: true }).count())
    .toBe(0);
  await code.selectOption('Code');
  await expect.poll(() => rows.count()).toBe(3);

  // From here by keyboard alone.
  await page.setViewportSize(DESKTOP);
  await page.getByRole('button', { name: 'Import', exact: true }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Import members' });
  await dialog.getByText('State first that you may write to them.').waitFor();
  await dialog.getByLabel('I may write to these people.').focus();
  await page.keyboard.press('Space');
  await dialog.getByText('2 members join at the end of the line').waitFor();
  await expectAccessibleConsole(page);
  await dialog.getByLabel('Reason').focus();
  await page.keyboard.type('moving');
  await holdToasts(page);
  await page.keyboard.press('Control+Enter');
  await takeToast(page, '2 members joined from list.csv, 2 rows of it were left out.');
  await page.getByText('This list was imported.').waitFor();
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Reason').fill('a mistake');
  await page.keyboard.press('Control+Enter');
  await takeToast(page, '2 imported members left the line again.');
});

test.runIf(isAll)('a file that is no list is refused in a sentence', async () => {
  const { page } = await visitConsole(browser, { viewport: PHONE });
  await page.goto('/console/import');
  await page.getByLabel('Choose a file, or drop one here').setInputFiles({
    name: 'list.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('email,x\na@b.example,"open\n'),
  });
  await page.getByText('never closed').waitFor();
  await expectAccessibleConsole(page);
});
