/** What page states share: how to reach one, and the join form. */
import type { Page } from 'playwright-core';
import type { Visitor } from './browser.ts';
import { MEMBER } from './browser-api.ts';

export type PageState = {
  readonly name: string;
  readonly reach: (visitor: Visitor) => Promise<void>;
};

export const submit = (page: Page, name: string) => page.getByRole('button', { name }).click();

export async function join(page: Page, name: string): Promise<void> {
  await page.getByLabel('Email').fill(MEMBER.email);
  await submit(page, name);
}
