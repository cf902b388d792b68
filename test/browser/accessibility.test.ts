/** Every state of every page: axe finds nothing, and it fits from 320 px up. */
import { expect, test } from 'vitest';
import { expectAccessiblePage, inEveryMode } from '../support/accessible-page.ts';
import { openTestBrowser } from '../support/browser.ts';
import { pageStates } from '../support/page-states.ts';

const browser = openTestBrowser();

test.each(pageStates)('$name is accessible and fits every width', async ({ reach }) => {
  const visitor = await browser.visit({ permissions: ['clipboard-write'] });
  await reach(visitor);
  await expectAccessiblePage(visitor.page, inEveryMode);
});

test('there are at least 24 states', () => {
  expect(pageStates.length).toBeGreaterThanOrEqual(24);
});
