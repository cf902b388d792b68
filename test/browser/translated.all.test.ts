/** Every state of every page is reached while the browser translates what comes. */
import { expect, test } from 'vitest';
import { translatePages } from '../support/bare-texts.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerDrop, dropStates, pathTo } from '../support/drop-states.ts';
import { pageStates } from '../support/page-states.ts';
import { lookAtEach, type PageState } from '../support/page-visits.ts';

const browser = openTestBrowser();

const inDrop: readonly PageState[] = dropStates.map((state) => ({
  name: state.name,
  async reach({ page, open }) {
    await answerDrop(page, state);
    await open(pathTo(state));
    await page.getByText(state.says).first().waitFor();
  },
}));

test('all pages, translated', async () => {
  const visitor = await browser.visit();
  visitor.allowNoise(/Minified React error #418/);
  await translatePages(visitor.context);
  const states = [...pageStates, ...inDrop];
  await lookAtEach(visitor, states, async ({ name }) => {
    await expect
      .poll(() => visitor.page.locator('#root').innerText(), { message: name })
      .toMatch(/\w[\s\S]{20}/);
    await expect.poll(() => visitor.page.getByText('This page stopped working').count()).toBe(0);
  });
});

test('a member follows a drop on one translated page', async () => {
  const { page, open, context, allowNoise } = await browser.visit();
  allowNoise(/Minified React error #418/);
  await translatePages(context);
  for (const [index, state] of dropStates.entries()) {
    await answerDrop(page, state);
    if (index === 0) await open(pathTo({ hasLink: true }));
    else await page.clock.runFor(30_100);
    const { says } = state.hasLink || !state.offer ? state : { says: '' };
    if (says !== '') await page.getByText(says).first().waitFor();
  }
});
