/** A slow, silent or lying API, beyond join-refusals.test.ts. */
import { describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { fillPath, IDEMPOTENCY_KEY_HEADER, pagePaths } from '../../contract/paths.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerCall, answerStatus, holdCall, MEMBER, STATS } from '../support/browser-api.ts';
import { readToast, toastOf } from '../support/browser-toast.ts';
import { recordTimers, untilTimers } from '../support/page-timers.ts';
import { lookAtEach } from '../support/page-visits.ts';
import type { Answer } from '../support/paused-calls.ts';

const browser = openTestBrowser();

const SILENCE_MS = 15_000;
const STATUS_PATH = fillPath(pagePaths.status, MEMBER.id);
const INVITE_PATH = fillPath(pagePaths.invite, MEMBER.referral_code);

async function visitWithTimers() {
  const visitor = await browser.visit();
  await recordTimers(visitor.context);
  return visitor;
}

describe('an API that stays silent', () => {
  test('ends a join after 15 s, and a retry has the same idempotency key', async () => {
    const { page, open } = await visitWithTimers();
    await answerStatus(page);
    const silent = await answerCall(page, 'join', 'silence');
    await open(pagePaths.landing);
    await page.getByLabel('Email').fill(MEMBER.email);
    await page.getByRole('button', { name: 'SECURE YOUR SPOT' }).click();
    await expect.poll(() => silent.length).toBe(1);
    await page.clock.runFor(SILENCE_MS - 1);
    await page.getByRole('button', { name: 'JOINING...' }).waitFor();
    await page.clock.runFor(1);
    await expect(readToast(page, 'Something went wrong')).resolves.toMatchObject({
      description: 'Please try again later.',
    });
    const answered = await answerCall(page, 'join', { status: 201, json: MEMBER });
    await page.getByRole('button', { name: 'SECURE YOUR SPOT' }).click();
    await page.waitForURL(`**${STATUS_PATH}`);
    const key = silent[0]?.headers[IDEMPOTENCY_KEY_HEADER];
    expect(key).toMatch(/^\S{16,}$/);
    expect(answered[0]?.headers[IDEMPOTENCY_KEY_HEADER]).toBe(key);
  });

  test('ends the loading of the status page after 15 s', async () => {
    const { page, open } = await visitWithTimers();
    await answerCall(page, 'status', 'silence');
    await answerCall(page, 'stats', { json: STATS });
    await page.goto(STATUS_PATH, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Loading Ghost Status...' }).waitFor();
    await page.waitForLoadState('domcontentloaded');
    await untilTimers(page, SILENCE_MS, 2);
    await page.clock.runFor(SILENCE_MS - 1);
    await expect
      .poll(() => page.getByRole('heading', { name: 'Loading Ghost Status...' }).count())
      .toBe(1);
    await page.clock.runFor(1);
    await page.getByRole('heading', { name: 'Error loading data' }).waitFor();
    await expect(readToast(page, 'Error loading data')).resolves.toMatchObject({
      isDestructive: true,
    });
    await answerStatus(page);
    await open(STATUS_PATH);
  });

  test('ends the verification of an invite after 15 s', async () => {
    const { page } = await visitWithTimers();
    await answerCall(page, 'verifyReferral', 'silence');
    await page.goto(INVITE_PATH, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Verifying invite...' }).waitFor();
    await page.waitForLoadState('domcontentloaded');
    await untilTimers(page, SILENCE_MS);
    await page.clock.runFor(SILENCE_MS - 1);
    await expect
      .poll(() => page.getByRole('heading', { name: 'Verifying invite...' }).count())
      .toBe(1);
    await page.clock.runFor(1);
    await page.getByRole('heading', { name: 'Check failed' }).waitFor();
  });
});

const lies: readonly [name: string, answer: Answer, noise: RegExp | null][] = [
  ['HTML', { text: '<h1>Hello</h1>', contentType: 'text/html' }, null],
  ['an empty body', { text: '' }, null],
  ['null', { json: null }, null],
  ['a member whose position is text', { json: { ...MEMBER, position: '1' } }, null],
  ['a member without a code', { json: { ...MEMBER, referral_code: undefined } }, null],
  ['a member whose rewards are no list', { json: { ...MEMBER, rewards_unlocked: 'all' } }, null],
  ['a 500 that is HTML', { status: 500, text: '<h1>Bad</h1>', contentType: 'text/html' }, /500/],
  ['a connection that breaks', 'break', /ERR_FAILED/],
];

test('a status call that lies is an error, not a missing member, at each retry', async () => {
  const { page, open, expectNoise } = await browser.visit();
  await answerCall(page, 'stats', { json: STATS });
  const retry = page.getByRole('button', { name: 'Retry' });
  for (const [index, [name, answer, noise]] of lies.entries()) {
    if (noise) expectNoise(noise);
    await answerCall(page, 'status', answer);
    if (index === 0) await open(STATUS_PATH);
    else await retry.click();
    await expect(readToast(page, 'Error loading data'), name).resolves.toMatchObject({
      description: 'Please refresh the page or try again later.',
    });
    await page.getByRole('button', { name: 'Close notification' }).click();
    await toastOf(page).waitFor({ state: 'detached' });
    await retry.waitFor();
  }
});

const brokenStats: readonly [name: string, answer: Answer, noise: RegExp | null][] = [
  ['a 500', { status: 500, json: {} }, /500/],
  ['HTML', { text: '<h1>Hello</h1>', contentType: 'text/html' }, null],
  ['numbers as text', { json: { ...STATS, total_signups: '7' } }, null],
];

test('broken stats raise a toast, beside the member', async () => {
  const visitor = await browser.visit();
  const { page, open, expectNoise } = visitor;
  const states = brokenStats.map(([name, answer, noise]) => ({
    name,
    async reach() {
      if (noise) expectNoise(noise);
      await answerCall(page, 'status', { json: MEMBER });
      await answerCall(page, 'stats', answer);
      await open(STATUS_PATH);
    },
  }));
  await lookAtEach(visitor, states, async () => {
    await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
    await expect.poll(() => page.getByText('Not available').count()).toBe(3);
    await expect(readToast(page, 'Error loading data')).resolves.toEqual({
      title: 'Error loading data',
      description: 'Please refresh the page or try again later.',
      isDestructive: true,
    });
  });
});

test('texts of the API are shown as text, never as markup', async () => {
  const hostile = '<img src=x onerror=alert(1)>';
  const { page, open } = await browser.visit();
  await answerStatus(page, {
    rewards_unlocked: [hostile],
    next_tier: { required_referrals: 3, reward: hostile },
  });
  await open(STATUS_PATH);
  await page.getByRole('listitem').filter({ hasText: hostile }).waitFor();
  await page.getByText(`Next reward: ${hostile}`).waitFor();
  await expect.poll(() => page.locator('img[src="x"]').count()).toBe(0);
});

test('an answer after the visitor has left changes nothing', async () => {
  const { page, open, becomeLive } = await browser.visit();
  const join = await holdCall(page, 'join');
  await open(pagePaths.landing);
  await page.getByLabel('Email').fill(MEMBER.email);
  await page.getByRole('button', { name: 'SECURE YOUR SPOT' }).click();
  await expect.poll(() => join.seen.length).toBe(1);
  await page.getByRole('link', { name: brand.name }).click();
  await becomeLive();
  join.release({ status: 201, json: MEMBER });
  await page.getByRole('button', { name: 'SECURE YOUR SPOT' }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe(pagePaths.landing);
});
