/** Every state of every page is reached while the browser translates what comes. */
import { expect, test } from 'vitest';
import { pagePaths } from '../../contract/paths.ts';
import { dropStates } from '../../web/dev/sample-drops.ts';
import { translatePages } from '../support/bare-texts.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerCall, answerStatus, MEMBER } from '../support/browser-api.ts';
import { answerDrop, dropPageStates, pathTo } from '../support/drop-states.ts';
import { pageStates } from '../support/page-states.ts';
import { lookAtEach, runUntilShown } from '../support/page-visits.ts';

const browser = openTestBrowser();
/** React finds other nodes than the server has sent, and renders the page again. */
const TRANSLATED_BEFORE_HYDRATION = /Minified React error #418/;

test('all pages, translated', async () => {
  const visitor = await browser.visit();
  visitor.allowNoise(TRANSLATED_BEFORE_HYDRATION);
  await translatePages(visitor.context);
  await lookAtEach(visitor, [...pageStates, ...dropPageStates], async ({ name }) => {
    await expect
      .poll(() => visitor.page.locator('#root').innerText(), { message: name })
      .toMatch(/\w[\s\S]{20}/);
    await expect.poll(() => visitor.page.getByText('This page stopped working').count()).toBe(0);
  });
});

test('a member follows a drop on one translated page', async () => {
  const { page, open, context, allowNoise } = await browser.visit();
  allowNoise(TRANSLATED_BEFORE_HYDRATION);
  await translatePages(context);
  for (const [index, state] of dropStates.entries()) {
    await answerDrop(page, state);
    if (index === 0) await open(pathTo({ hasLink: true }));
    else await page.clock.runFor(30_100);
    const isToAct = state.offer || state.place?.card_entry;
    const { says } = state.hasLink || !isToAct ? state : { says: '' };
    if (says === '') continue;
    await runUntilShown(page, says);
  }
});

test('a translated landing page joins, and refuses', async () => {
  const { page, context, open, allowNoise, expectNoise } = await browser.visit();
  allowNoise(TRANSLATED_BEFORE_HYDRATION);
  expectNoise(/400/);
  await translatePages(context);
  await answerCall(page, 'join', { status: 400, json: { detail: 'Not in this form.' } });
  await open(pagePaths.landing);
  const button = page.getByRole('button', { name: 'SECURE YOUR SPOT' });
  await button.click();
  await page.locator('form').getByText('Please enter your email').waitFor();
  await page.getByLabel('Email').fill(MEMBER.email);
  await button.click();
  await page.locator('form').getByText('Not in this form.').waitFor();
  await answerStatus(page);
  await answerCall(page, 'join', { status: 201, json: MEMBER });
  await button.click();
  await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
});

test('a page that breaks as a whole says so, and is loaded again', async () => {
  const { page, open, becomeLive, expectNoise } = await browser.visit();
  expectNoise(/RangeError/);
  await answerCall(page, 'drop', {
    json: { now: 'never', next_step: { step: 'start-offers', at: 'never', time_zone: '' } },
  });
  await open(pagePaths.landing);
  await page.clock.runFor(4000);
  const notice = page.getByRole('alert').filter({ hasText: 'Please refresh the page' });
  await notice.waitFor();
  await answerCall(page, 'drop', { json: { now: 'never', next_step: null } });
  await notice.getByRole('button', { name: 'Retry' }).click();
  await becomeLive();
  await page.getByRole('button', { name: 'SECURE YOUR SPOT' }).waitFor();
});
