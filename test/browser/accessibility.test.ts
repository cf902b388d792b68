/** Every state of every page: axe finds nothing, and it fits from 320 px up. */
import { expect, test } from 'vitest';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser } from '../support/browser.ts';
import { pageStates } from '../support/page-states.ts';

const browser = openTestBrowser();
/** What a screen reader finds in each state that was reached. */
const reached = new Set<string>();

test.each(pageStates)('$name is accessible and fits every width', async ({ reach }) => {
  const visitor = await browser.visit({ permissions: ['clipboard-write'] });
  await reach(visitor);
  reached.add(await visitor.page.locator('body').ariaSnapshot());
  await expectAccessiblePage(visitor.page);
});

test('these are at least 24 states, each unlike the others', () => {
  expect(reached.size).toBe(pageStates.length);
  expect(reached.size).toBeGreaterThanOrEqual(24);
});
