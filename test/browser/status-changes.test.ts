/** How changes are shown: settling digits, a flare for a tier, a transition from form to ghost. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { apiPaths, pagePaths } from '../../contract/paths.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerCall, answerStatus, MEMBER } from '../support/browser-api.ts';

const browser = openTestBrowser();

declare global {
  interface Window {
    viewTransitions: number;
  }
}

const path = pagePaths.status(MEMBER.id);
const REFRESH_MS = 30_100;
const LIVE_AFTER_MS = 1_100;

/** The digits of the position, each with the one that glows out behind it. */
const readDigits = (page: Page) =>
  page
    .locator('.position-card .dot-number-digit')
    .evaluateAll((digits: HTMLElement[]) =>
      digits.map(({ dataset }) => `${dataset.was ?? ''}>${dataset.digit}`),
    );

const storeMember = (member: typeof MEMBER) => {
  localStorage.setItem('waitlist.member_id', member.id);
  localStorage.setItem('waitlist.member', JSON.stringify(member));
};

test('after a refresh the digits settle from the position before', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page);
  await open(path);
  await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
  expect(await readDigits(page)).toEqual(['>#', '>1', '>2', '>8']);
  await answerStatus(page, { position: 126 });
  await page.clock.runFor(REFRESH_MS);
  await page.getByRole('heading', { name: 'Ghost #126 in line' }).waitFor();
  expect(await readDigits(page)).toEqual(['>#', '>1', '>2', '8>6']);
});

test('a move that the server tells is shown at once', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page);
  const streams: string[] = [];
  await page.route(`**${apiPaths.live(MEMBER.id)}`, (route) => {
    streams.push(route.request().url());
    const body = `retry: 600000\n\ndata: ${JSON.stringify({ ...MEMBER, position: 41 })}\n\n`;
    return route.fulfill({ contentType: 'text/event-stream', body });
  });
  await open(path);
  await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
  expect(streams).toEqual([]);
  await page.clock.runFor(LIVE_AFTER_MS);
  await page.getByRole('heading', { name: 'Ghost #41 in line' }).waitFor();
  expect(await readDigits(page)).toEqual(['>#', '2>4', '8>1']);
  expect(streams).toHaveLength(1);
});

test('a returning member sees the digits settle once from the position they saw last', async () => {
  const { page, context, open } = await browser.visit();
  await context.addInitScript(storeMember, { ...MEMBER, position: 130 });
  await answerStatus(page);
  await open(path);
  await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
  expect(await readDigits(page)).toEqual(['>#', '>1', '3>2', '0>8']);
  expect(
    await page.evaluate(() => JSON.parse(localStorage.getItem('waitlist.member') ?? '{}').position),
  ).toBe(128);
  expect(await page.evaluate(() => localStorage.length)).toBe(2);
});

test("another member's page leaves the stored member alone", async () => {
  const { page, context, open } = await browser.visit();
  const other = { ...MEMBER, id: 'somebody-else', position: 7 };
  await context.addInitScript(storeMember, other);
  await answerStatus(page);
  await open(path);
  await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
  expect(
    await page.evaluate(() => JSON.parse(localStorage.getItem('waitlist.member') ?? '{}')),
  ).toEqual(other);
});

test('a tier that is reached flares once and is announced', async () => {
  const { page, open } = await browser.visit();
  const flare = page.locator('.tier-flare');
  await answerStatus(page);
  await open(path);
  await page.getByText('Tier 0').waitFor();
  expect(await flare.count()).toBe(0);
  await answerStatus(page, { tier_level: 1, referral_count: 3 });
  await page.clock.runFor(REFRESH_MS);
  await flare.waitFor({ state: 'attached' });
  await page.getByText('You have reached tier 1.').waitFor({ state: 'attached' });
  await page.clock.runFor(REFRESH_MS);
  await flare.waitFor({ state: 'detached' });
});

test("a tier that was reached in the member's absence flares on their return", async () => {
  const { page, context, open } = await browser.visit();
  await context.addInitScript(storeMember, MEMBER);
  await answerStatus(page, { tier_level: 2 });
  await open(path);
  await page.locator('.tier-flare').waitFor({ state: 'attached' });
});

test.each([
  ['in a view transition', 'no-preference', 1],
  ['at once for those who want less motion', 'reduce', 0],
] as const)('the form becomes the ghost %s', async (_how, reducedMotion, transitions) => {
  const { page, context, open } = await browser.visit({ reducedMotion, hasRunningClock: true });
  await context.addInitScript(() => {
    window.viewTransitions = 0;
    const start = document.startViewTransition;
    document.startViewTransition = (change) => {
      window.viewTransitions += 1;
      return start.call(document, change);
    };
  });
  await answerStatus(page);
  await answerCall(page, 'join', { status: 201, json: MEMBER });
  await open(pagePaths.landing());
  const nameOf = (selector: string) =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).viewTransitionName);
  const formName = await nameOf('.join-form');
  await page.getByLabel('Email').fill(MEMBER.email);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
  expect(await nameOf('.ghost-card-face')).toBe(formName);
  expect(await page.evaluate(() => window.viewTransitions)).toBe(transitions);
});
