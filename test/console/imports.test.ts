/** The import screen: a file, its columns, the report, the import and its undo. */
import { expect, test } from 'vitest';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { visitConsole } from '../support/console-visit.ts';

const browser = openTestBrowser();
const listOf = (name: string) =>
  [
    'Email,Code,Referred by',
    `${name}@example.com,${name},`,
    `friend-of-${name}@example.com,,${name}`,
    'nobody,,',
    `${name.toUpperCase()}@example.com,,`,
  ].join('\n');

test.each([
  ['phone', PHONE],
  ['desk', DESKTOP],
] as const)('a list is checked, imported and taken back on a %s', async (name, viewport) => {
  const { page } = await visitConsole(browser, { viewport });
  await page.goto('/console/import');
  await page.getByRole('heading', { name: 'Import', exact: true }).waitFor();
  await expectAccessibleConsole(page);
  await page.setViewportSize(viewport);
  await page.getByLabel('Choose a file, or drop one here').setInputFiles({
    name: 'list.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(listOf(name)),
  });
  const address = page.getByLabel('E-mail address');
  await address.waitFor();
  await expect.poll(() => address.locator('option:checked').textContent()).toBe('Email');
  await page.getByText(`Such as ${name}@example.com`).waitFor();
  await page.getByRole('button', { name: 'Check the rows' }).click();
  const rows = page.getByRole('table', { name: 'Faults and notes' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(3);
  await expect.poll(() => rows.nth(1).textContent()).toContain('This is not an e-mail address.');
  await expect.poll(() => rows.nth(2).textContent()).toContain('in line 2 of the file');
  await expectAccessibleConsole(page);
  await page.setViewportSize(viewport);

  // From here by keyboard alone.
  await page.getByRole('button', { name: 'Import', exact: true }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Import members' });
  await dialog.getByText('2 members join at the end of the line').waitFor();
  await expectAccessibleConsole(page);
  await page.setViewportSize(viewport);
  await dialog.getByLabel('Reason').focus();
  await page.keyboard.type('moving');
  await page.keyboard.press('Control+Enter');
  await dialog.getByText('State first that you may write to them.').waitFor();
  await dialog.getByLabel('I may write to these people.').focus();
  await page.keyboard.press('Space');
  await dialog.getByLabel('Reason').focus();
  await page.keyboard.press('Control+Enter');
  await page.getByText('2 members joined from list.csv, 2 rows of it were left out.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Reason').fill('a mistake');
  await page.keyboard.press('Control+Enter');
  await page.getByText('2 imported members left the line again.').waitFor();
});

test('a file that is no list is refused in a sentence', async () => {
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
