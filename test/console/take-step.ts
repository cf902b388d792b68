import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { follow } from '../support/console-visit.ts';

export const REASON = 'launch day';

/**
 * Opens the dialog, sees its preview, gives the reason, and confirms. By keys: the message of the
 * step before may lie over the button.
 */
export async function take(
  page: Page,
  button: string,
  sees: RegExp,
  confirm: string,
): Promise<void> {
  const opener = page.locator('main, .sheet').getByRole('button', { name: button, exact: true });
  await opener.press('Enter');
  await confirmStep(page, sees, confirm);
}

export async function confirmStep(page: Page, sees: RegExp, confirm: string): Promise<void> {
  const dialog = page.locator('dialog[open]');
  await dialog.getByText(sees).first().waitFor();
  await dialog.getByLabel('Reason').fill(REASON);
  await dialog.getByRole('button', { name: confirm, exact: true }).click();
  await expect.poll(() => dialog.count()).toBe(0);
}

/** A draft for the whole line, which only has to be sent. */
export async function writeAboutIt(page: Page, title: string, words: RegExp): Promise<void> {
  await follow(page, '/drop');
  await page.getByRole('button', { name: 'Write to the line about it' }).press('Enter');
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  const draft = page.url();
  await page.goBack();
  await page.getByRole('button', { name: 'Write to the line about it' }).press('Enter');
  await expect.poll(() => page.url()).toBe(draft);
  const mail = page.frameLocator('iframe');
  await mail.getByText(words).last().waitFor();
  await mail.getByText(/[0-9a-f]{64}/).waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: 'Send to the line' }).isEnabled())
    .toBe(true);
}
