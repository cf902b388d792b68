/** Imitates browsers at and below the oldest of the app (scripts/build/oldest-browsers.ts). */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { fillPath, PLAIN_QUERY, pagePaths } from '../../contract/paths.ts';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerCall, MEMBER } from '../support/browser-api.ts';
import { joinLine, newAddress, readStatus } from '../support/browser-line.ts';

const browser = openTestBrowser();

const PLAIN_URL = new RegExp(`/thank-you/[0-9a-f-]{36}\\?${PLAIN_QUERY}$`);
const plainPath = (memberId: string) => `${fillPath(pagePaths.status, memberId)}?${PLAIN_QUERY}`;

async function join(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(newAddress());
  await page.locator('button[type="submit"]').click();
}

async function expectPlainStatus(page: Page): Promise<void> {
  const memberId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const { referral_code: code } = await readStatus(memberId);
  await page.getByRole('heading', { level: 1, name: /^Ghost #\d+ in line$/ }).waitFor();
  const link = page.getByLabel('Invite link');
  const readPath = async () => new URL(await link.inputValue()).pathname;
  await expect.poll(readPath).toBe(fillPath(pagePaths.invite, code));
  await page.getByText(code, { exact: true }).waitFor();
  await page.locator('img[src$=".svg"]').waitFor();
}

describe('the oldest browsers, without what came later,', () => {
  async function visit() {
    const visitor = await browser.visit({ hasRunningClock: true });
    await visitor.context.addInitScript(() => {
      for (const [owner, names] of [
        [AbortSignal, ['any', 'timeout']],
        [Promise, ['withResolvers', 'try']],
        [URL, ['canParse', 'parse']],
        [Document.prototype, ['startViewTransition']],
        [Element.prototype, ['checkVisibility']],
        [Object, ['groupBy']],
      ] as const)
        for (const name of names) Reflect.deleteProperty(owner, name);
    });
    return visitor;
  }

  test('join, show the status, and verify an invite in the app, which counts', async () => {
    const inviter = await joinLine();
    const { page, open } = await visit();
    await open(pagePaths.landing);
    await join(page);
    await page.getByRole('button', { name: 'Copy invite link' }).waitFor();
    await page.getByRole('heading', { name: /^Ghost #\d+ in line$/ }).waitFor();
    await open(fillPath(pagePaths.invite, inviter.referral_code));
    await page.getByRole('heading', { name: 'Exclusive Invite' }).waitFor();
    await join(page);
    await page.getByRole('button', { name: 'Copy invite link' }).waitFor();
    await expect.poll(async () => (await readStatus(inviter.id)).referral_count).toBe(1);
  });
});

describe.each(['1cqi', '1svh', '(width>=0)'])('a browser too old for %s', (feature) => {
  async function visit() {
    const visitor = await browser.visit({ hasRunningClock: true });
    visitor.allowNoise(/preloaded using link preload but not used/);
    await visitor.context.addInitScript((missing) => {
      const { supports } = CSS;
      const { matchMedia } = window;
      CSS.supports = (property: string, value?: string) =>
        value !== missing && (supports as (...all: unknown[]) => boolean)(property, value);
      window.matchMedia = (query) => matchMedia(query === missing ? 'not all' : query);
    }, feature);
    const scripts: string[] = [];
    visitor.page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url());
    });
    return { ...visitor, scripts };
  }

  test('joins and accepts an invite by the form itself, and is sent on only once', async () => {
    const inviter = await joinLine();
    const { page, scripts } = await visit();
    await page.goto(pagePaths.landing);
    await join(page);
    await page.waitForURL(PLAIN_URL);
    await expectPlainStatus(page);

    await page.goto(fillPath(pagePaths.invite, inviter.referral_code));
    await join(page);
    await page.waitForURL(PLAIN_URL);
    await expect.poll(async () => (await readStatus(inviter.id)).referral_count).toBe(1);

    // The history has no status page that would send the visitor on again.
    await page.goto(pagePaths.landing);
    await page.goto(fillPath(pagePaths.status, inviter.id), { waitUntil: 'commit' });
    await page.waitForURL(PLAIN_URL);
    await page.goBack();
    await expect.poll(() => new URL(page.url()).pathname).toBe(pagePaths.landing);
    expect(scripts).toEqual([]);
  });
});

describe('the status page without script', () => {
  test('tells what the member has, has no script, and is accessible', async () => {
    const member = await joinLine();
    for (let friend = 0; friend < 3; friend += 1)
      await joinLine({ referredBy: member.referral_code });
    const { page } = await browser.visit();
    await page.goto(plainPath(member.id));
    await expectPlainStatus(page);
    await page.getByText('Tier 1', { exact: true }).waitFor();
    await page.getByText(/^Next reward: ./).waitFor();
    await page.getByText(/^Unlocked: ./).waitFor();
    await expect.poll(() => page.locator('script').count()).toBe(0);
    await expectAccessiblePage(page);
  });

  test('is Ghost Not Found for an unknown member, accessible and with a link back', async () => {
    const { page, expectNoise } = await browser.visit();
    expectNoise(/404/);
    await page.goto(plainPath(MEMBER.id));
    await page.getByRole('heading', { name: 'Ghost Not Found' }).waitFor();
    await page.getByText('Invalid or expired link.', { exact: true }).waitFor();
    await expectAccessiblePage(page);
    await page.getByRole('link', { name: 'Return to Waitlist' }).click();
    await page.getByRole('button', { name: 'SECURE YOUR SPOT' }).waitFor();
  });
});

test('the app never asks for it', async () => {
  const member = await joinLine();
  const { page, open } = await browser.visit();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await answerCall(page, 'status', { json: member });
  await open(fillPath(pagePaths.status, member.id));
  await page.getByRole('button', { name: 'Copy invite link' }).waitFor();
  expect(asked.filter((url) => new URL(url).search !== '')).toEqual([]);
});
