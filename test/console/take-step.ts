import type { Page } from 'playwright-core';
import { expect } from 'vitest';

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
