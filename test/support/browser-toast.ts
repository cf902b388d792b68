/** The toast as a visitor sees it. */
import type { Locator, Page } from 'playwright-core';

type Shown = {
  readonly title: string;
  readonly description: string | null;
  readonly isDestructive: boolean;
};

export function toastOf(page: Page): Locator {
  return page.locator('.toast');
}

/** Waits for a toast with this title and reads it. There must be only one. */
export async function readToast(page: Page, title: string): Promise<Shown> {
  const toast = toastOf(page);
  await toast.filter({ hasText: title }).waitFor();
  if ((await toast.count()) !== 1) throw new Error(`${await toast.count()} toasts are shown.`);
  const description = toast.locator('.toast-description');
  return {
    title: await toast.locator('.toast-title').innerText(),
    description: (await description.count()) === 0 ? null : await description.innerText(),
    isDestructive: (await toast.getAttribute('data-variant')) === 'destructive',
  };
}
