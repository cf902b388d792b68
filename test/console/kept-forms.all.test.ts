/** Forms of the console keep their fields in the browser, until they are done or given up. */
import { expect, test } from 'vitest';
import { openTestBrowser } from '../support/browser.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { follow } from '../support/console-visit.ts';

const browser = openTestBrowser();
const server = openConsoleServer(browser);

test('forms keep what was written until it is done or given up', async () => {
  const { id } = await server.joinLine('noted');
  const { page } = await server.visit();
  await page.goto('/console/members');
  await follow(page, `/members?open=${id}`);
  const write = () => page.getByRole('button', { name: 'Add a note' }).click();
  const note = page.getByRole('dialog', { name: 'Add a note' });
  await write();
  await note.getByLabel('Note').fill('Wrote to us on Monday.\nWears Medium.');
  await page.goBack();
  await expect.poll(() => note.count()).toBe(0);
  await follow(page, `/members?open=${id}`);
  await write();
  await expect
    .poll(() => note.getByLabel('Note').inputValue())
    .toBe('Wrote to us on Monday.\nWears Medium.');
  await note.getByRole('button', { name: 'Save' }).click();
  await page.locator('.note-body').waitFor();
  await page.reload();
  await page.locator('.note-body').waitFor();
  await write();
  await expect.poll(() => note.getByLabel('Note').inputValue()).toBe('');
  await page.keyboard.press('Escape');

  await follow(page, '/stock');
  const open = () => page.getByRole('button', { name: 'Allocate', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Allocate masks' });
  await open();
  await dialog.getByLabel('Masks').fill('2');
  await dialog.getByLabel('For whom').fill('the shoot');
  await dialog.getByLabel('Reason').fill('promised');
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
  await open();
  await expect.poll(() => dialog.getByLabel('For whom').inputValue()).toBe('the shoot');
  await expect.poll(() => dialog.getByLabel('Reason').inputValue()).toBe('promised');
  await dialog.getByRole('button', { name: 'Allocate', exact: true }).click();
  await expect.poll(() => dialog.count()).toBe(0);
  await open();
  await expect.poll(() => dialog.getByLabel('For whom').inputValue()).toBe('');
  await expect.poll(() => dialog.getByLabel('Reason').inputValue()).toBe('');
  await dialog.getByLabel('For whom').fill('given up');
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await open();
  await expect.poll(() => dialog.getByLabel('For whom').inputValue()).toBe('');
});

test('filters and columns of an import keep what was chosen', async () => {
  const { page } = await server.visit();
  await page.goto('/console/members');
  const dialog = page.getByRole('dialog');
  const leave = async () => {
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await page.reload();
  };
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const expectValue = (label: string, value: string) =>
    expect.poll(() => dialog.getByLabel(label).inputValue()).toBe(value);

  await press('Filter');
  await dialog.getByLabel('Source').fill('fair');
  await leave();
  await press('Filter');
  await expectValue('Source', 'fair');
  await press('Apply');
  await expect.poll(() => page.url()).toContain('source=fair');

  await follow(page, '/import');
  const buffer = Buffer.from('Email,Code\nlisted@example.com,listed\n');
  await page
    .getByLabel('Choose a file, or drop one here')
    .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer });
  await page.getByLabel('Row id', { exact: true }).selectOption('Code');
  await page.getByLabel('Order').selectOption('joined_at');
  await page.reload();
  await expect.poll(() => page.getByLabel('Row id', { exact: true }).inputValue()).toBe('1');
  await expect.poll(() => page.getByLabel('Order').inputValue()).toBe('joined_at');
});

test('a form that was kept for now does not open as the plan of the same step', async () => {
  const { page, allowNoise } = await server.visit();
  // The preview of a plan whose time passes while it is asked.
  allowNoise(/409/);
  await page.goto('/console/drop');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Freeze the line' }).click();
  await dialog.getByLabel('Reason').fill('today');
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
  await page.getByRole('button', { name: 'Plan a step' }).click();
  await page.getByRole('menuitem', { name: 'Freeze the line' }).click();
  await dialog.getByText('Choose when the server does so.').waitFor();
  await dialog.getByRole('button', { name: 'Schedule' }).waitFor();
  await expect.poll(() => dialog.getByLabel('Reason').inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Freeze the line' }).click();
  await expect.poll(() => dialog.getByLabel('Reason').inputValue()).toBe('today');
});
