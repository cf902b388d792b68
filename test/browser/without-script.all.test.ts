import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import {
  fillPath,
  landingWithReferral,
  OWN_MARKS,
  ownStatusPath,
  PLAIN_QUERY,
  pagePaths,
} from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { openTestBrowser, waitUntilLive } from '../support/browser.ts';
import { holdCall, MEMBER, STATS } from '../support/browser-api.ts';
import { joinLine, newAddress, readStatus } from '../support/browser-line.ts';
import { toastOf } from '../support/browser-toast.ts';
import { noteStates, readNoted, takeToast } from '../support/passing-states.ts';

const browser = openTestBrowser();

/** Less than the 15 s after which a page gives a call up. */
const SLOW_ANSWER_MS = 10_000;
/** The page waits so long for a browser that is never idle. */
const LATEST_IDLE_MS = 3_000;
const STATUS_URL = /\/thank-you\/[0-9a-f-]{36}$/;
const PLAIN_URL = new RegExp(`/thank-you/[0-9a-f-]{36}\\?${PLAIN_QUERY}$`);

describe('with script disabled', () => {
  async function visit(options: Parameters<typeof browser.visit>[0] = {}) {
    const visitor = await browser.visit({
      javaScriptEnabled: false,
      hasRunningClock: true,
      ...options,
    });
    // The browser reports scripts that it may not run, and their preloaded calls.
    visitor.allowNoise(/^failed: .*\.js csp$/);
    visitor.allowNoise(/preloaded using link preload but not used/);
    return visitor;
  }

  test('a join by way of JOIN THE WAITLIST leads to position and invite link', async () => {
    const { page } = await visit();
    const email = newAddress();
    await page.goto(pagePaths.landing);
    const seeIt = page.locator('.see-it-slot noscript');
    await expect
      .poll(() => seeIt.innerText())
      .toContain(`Material: ${brand.product.facts[0]?.text}`);
    await expect.poll(() => seeIt.innerText()).toContain('Medium 18.2 to 19.8 cm.');
    const stills = seeIt.getByRole('img', { name: 'The mask from three sides.' });
    await stills.scrollIntoViewIfNeeded();
    await expect
      .poll(() => stills.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    await page.getByRole('button', { name: 'JOIN THE WAITLIST' }).click();
    await page.locator('input[type="email"]:target').waitFor();
    await page.getByRole('link', { name: brand.name }).click();
    await page.waitForURL((url) => url.pathname === '/' && url.hash === '');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'SECURE YOUR SPOT' }).click();
    await page.waitForURL(PLAIN_URL);
    const readMember = () => readStatus(new URL(page.url()).pathname.split('/').at(-1) ?? '');
    await expect.poll(async () => (await readMember()).email).toBe(email);
    await page.getByRole('heading', { name: /^Ghost #\d+ in line$/ }).waitFor();
    const { pathname } = new URL(await page.getByLabel('Invite link').inputValue());
    const invitePath = async () => fillPath(pagePaths.invite, (await readMember()).referral_code);
    await expect.poll(invitePath).toBe(pathname);
  });

  test('an empty form on a phone says in view that an address is required', async () => {
    const viewport = { width: 390, height: 664 };
    const { page, expectNoise } = await visit({ viewport, isMobile: true });
    expectNoise(/422/);
    await page.goto(pagePaths.landing);
    const submit = page.locator('button[type="submit"]');
    await submit.click();
    const message = page.getByText('Please enter your email to join the waitlist.');
    await message.waitFor();
    const bottomOf = async (part: Locator) => {
      const box = await part.boundingBox();
      return (box?.y ?? 0) + (box?.height ?? Number.POSITIVE_INFINITY);
    };
    await expect.poll(() => bottomOf(message)).toBeLessThanOrEqual(viewport.height);
    // The bar that joins has scrolled away with the header, and covers nothing.
    const bar = page.getByRole('button', { name: 'JOIN THE WAITLIST' });
    await expect.poll(() => bottomOf(bar)).toBeLessThan((await message.boundingBox())?.y ?? 0);
  });
});

/** The two keys of docs/behaviour.md 3. */
function readStored(page: Page): Promise<{ id: string | null; record: Member | null }> {
  return page.evaluate(() => ({
    id: localStorage.getItem('waitlist.member_id'),
    record: JSON.parse(localStorage.getItem('waitlist.member') ?? 'null'),
  }));
}

describe('with a script that arrives late', () => {
  async function visitWithLateScript({ hasRunningClock = true } = {}) {
    const visitor = await browser.visit({ hasRunningClock });
    const { promise, resolve } = Promise.withResolvers<void>();
    await visitor.page.route('**/assets/entry-client-*.js', async (route) => {
      await promise;
      await route.continue();
    });
    return { ...visitor, arrive: resolve };
  }

  test('an address typed before it stays in the field and joins', async () => {
    const { page, arrive } = await visitWithLateScript();
    const email = newAddress();
    await page.goto(pagePaths.landing, { waitUntil: 'commit' });
    await page.getByLabel('Email').fill(email);
    arrive();
    await waitUntilLive(page);
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(email);
    await page.getByRole('button', { name: 'SECURE YOUR SPOT' }).click();
    await page.waitForURL(STATUS_URL);
    await page.getByRole('heading', { name: /Ghost #\d+ in line/ }).waitFor();
  });

  test('a join sent before it is welcomed and remembered, once and without a trace', async () => {
    const { page, arrive } = await visitWithLateScript();
    const email = newAddress();
    await page.goto(pagePaths.landing, { waitUntil: 'commit' });
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'SECURE YOUR SPOT' }).click({ noWaitAfter: true });
    await page.waitForURL(/\/thank-you\//, { waitUntil: 'commit' });
    await noteStates(page);
    arrive();
    await page.getByRole('heading', { name: /Ghost #\d+ in line/ }).waitFor();
    await takeToast(page, brand.specified.joined);
    await page.waitForURL(STATUS_URL);
    await expect.poll(async () => (await readStored(page)).record?.email).toBe(email);
    // A member who comes back is not welcomed a second time.
    await page.reload();
    await page.getByRole('button', { name: 'Copy invite link' }).waitFor();
    await expect.poll(() => readNoted(page, '.toast-text')).toEqual([]);
    await page.goto(pagePaths.landing);
    await page.getByRole('link', { name: 'Welcome back' }).waitFor();
    await page.clock.runFor(3000);
    await page.getByRole('link', { name: /^Welcome back, Ghost #\d+$/ }).waitFor();
  });

  test('a status link of a mail makes the browser know its member, a bare one not', async () => {
    const [member, other] = [await joinLine(), await joinLine()];
    const { page, open } = await browser.visit();
    const isShown = () => page.getByRole('button', { name: 'Copy invite link' }).waitFor();
    await open(fillPath(pagePaths.status, other.id));
    await isShown();
    await expect.poll(() => readStored(page)).toEqual({ id: null, record: null });
    await open(ownStatusPath(member.id));
    await page.waitForURL(STATUS_URL);
    await isShown();
    await expect.poll(async () => (await readStored(page)).id).toBe(member.id);
    await expect
      .poll(async () => (await readStored(page)).record?.referral_code)
      .toBe(member.referral_code);
    await expect.poll(() => toastOf(page).count()).toBe(0);
    await open(fillPath(pagePaths.status, other.id));
    await isShown();
    await expect.poll(async () => (await readStored(page)).id).toBe(member.id);
    // In a tab with an open member, the link of another mail only changes the fragment.
    await page.evaluate((mark) => location.assign(mark), OWN_MARKS.mine);
    await expect.poll(async () => (await readStored(page)).record?.id).toBe(other.id);
  });

  test('a refused join sent before it is hydrated with message, value and referral', async () => {
    const known = await joinLine();
    const { page, arrive, expectNoise } = await visitWithLateScript();
    expectNoise(/409/);
    await page.goto(landingWithReferral(known.referral_code), { waitUntil: 'commit' });
    await page.getByLabel('Email').fill(known.email);
    await page.getByRole('button', { name: 'SECURE YOUR SPOT' }).click({ noWaitAfter: true });
    await page.getByText('This email is already on the waitlist.').waitFor();
    arrive();
    await page.locator('input[type="email"][aria-invalid="true"]').waitFor();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(known.email);
    await page.getByText('Referral Active - Better Position Guaranteed!').waitFor();
  });

  test('a status page sends its calls before, and once, however late the answers', async () => {
    const { page, arrive } = await visitWithLateScript({ hasRunningClock: false });
    const status = await holdCall(page, 'status');
    const stats = await holdCall(page, 'stats');
    const faces = await holdCall(page, 'faces');
    const count = () => [status, stats, faces].map(({ seen }) => seen.length);
    await page.goto(fillPath(pagePaths.status, MEMBER.id), { waitUntil: 'commit' });
    await expect.poll(count).toEqual([1, 1, 0]);
    arrive();
    await waitUntilLive(page);
    await page.clock.runFor(SLOW_ANSWER_MS);
    await expect.poll(count).toEqual([1, 1, 1]);
    status.release({ json: MEMBER });
    stats.release({ json: STATS });
    await page.getByRole('heading', { name: `Ghost #${MEMBER.position} in line` }).waitFor();
    await page.clock.runFor(LATEST_IDLE_MS);
    faces.release({ json: { faces: ['00000000800'] } });
    // A second call would have been seen before the page shows any answer.
    const paint = page.locator('.mask-meter-25 > .mask-meter-paint');
    await expect.poll(() => paint.getAttribute('d')).toBe('M7.5 21.25h5');
    expect(count()).toEqual([1, 1, 1]);
  });

  test('an invite sends its call before, and once, however late the answer', async () => {
    const { page, arrive } = await visitWithLateScript({ hasRunningClock: false });
    const { seen, release } = await holdCall(page, 'verifyReferral');
    await page.goto(fillPath(pagePaths.invite, MEMBER.referral_code), { waitUntil: 'commit' });
    await expect.poll(() => seen.length).toBe(1);
    arrive();
    await waitUntilLive(page);
    await page.clock.runFor(SLOW_ANSWER_MS);
    release({ json: { valid: true, referrer_email: MEMBER.email } });
    await page.getByRole('heading', { name: 'Exclusive Invite' }).waitFor();
    expect(seen).toHaveLength(1);
  });
});
