/** Every state of the pages that mails lead to. */
import { expect, inject, test } from 'vitest';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser } from '../support/browser.ts';
import { joinLine } from '../support/browser-line.ts';
import { mailPageStates } from '../support/mail-page-states.ts';
import { lookAtEach } from '../support/page-visits.ts';

const browser = openTestBrowser();

test('every state is accessible, fits every width, and has no script', async () => {
  const visitor = await browser.visit();
  const states = mailPageStates.map(({ name, reach }) => ({
    name,
    reach: async () => reach(visitor, { ...(await joinLine()), secretKey: inject('secretKey') }),
  }));
  await lookAtEach(visitor, states, async ({ name }) => {
    await expect.poll(() => visitor.page.locator('script').count()).toBe(0);
    await expectAccessiblePage(visitor.page, name);
  });
});
