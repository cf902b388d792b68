/** Every state of every page: no axe violation on phone and desktop, no sideways scrolling from 320 px up. */
import { test } from 'vitest';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser } from '../support/browser.ts';
import { pageStates } from '../support/page-states.ts';

const browser = openTestBrowser();

test.each(pageStates)('$name is accessible and fits every width', async ({ reach }) => {
  const visitor = await browser.visit({ permissions: ['clipboard-write'] });
  await reach(visitor);
  await expectAccessiblePage(visitor.page);
});
