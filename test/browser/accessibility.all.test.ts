/** Every state of every page: axe finds nothing, and it fits from 320 px up. */
import { expect, inject, test } from 'vitest';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser } from '../support/browser.ts';
import { pageStates } from '../support/page-states.ts';
import { lookAtEach } from '../support/page-visits.ts';

const browser = openTestBrowser();

test('every state is accessible, fits every width, and differs from every other', async () => {
  const visitor = await browser.visit({
    baseURL: inject('strictSiteUrl'),
    permissions: ['clipboard-write'],
  });
  /** Accessibility trees found so far. */
  const found = new Set<string>();
  await lookAtEach(visitor, pageStates, async ({ name }) => {
    found.add(await visitor.page.locator('body').ariaSnapshot());
    await expectAccessiblePage(visitor.page, name);
  });
  expect(found.size).toBe(pageStates.length);
  expect(found.size).toBeGreaterThanOrEqual(24);
});
