/** Every state of every page: axe finds nothing, and it fits from 320 px up. */
import { expect, test } from 'vitest';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser } from '../support/browser.ts';
import { pageStates } from '../support/page-states.ts';
import { lookAtEach } from '../support/page-visits.ts';

const browser = openTestBrowser();

test('every state is accessible, fits every width, and is unlike the others', async () => {
  const visitor = await browser.visit({ permissions: ['clipboard-write'] });
  /** What a screen reader finds in each state. */
  const found = new Set<string>();
  await lookAtEach(visitor, pageStates, async ({ name }) => {
    found.add(await visitor.page.locator('body').ariaSnapshot());
    await expectAccessiblePage(visitor.page, name);
  });
  expect(found.size).toBe(pageStates.length);
  expect(found.size).toBeGreaterThanOrEqual(24);
});
