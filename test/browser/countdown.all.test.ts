import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { DropView } from '../../contract/drop/drop-views.ts';
import { apiPaths, pagePaths } from '../../contract/paths.ts';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser, type Visitor } from '../support/browser.ts';
import { answerCall } from '../support/browser-api.ts';
import { toastOf } from '../support/browser-toast.ts';
import { answerPath } from '../support/paused-calls.ts';

const browser = openTestBrowser();

/** Time of the server, which differs from the device's. */
const NOW = '2031-05-01T16:00:00.000Z';
/** The browser has been idle by then. */
const IDLE_MS = 4000;

async function openLanding({ page, open }: Visitor, ...steps: (string | null)[]): Promise<Locator> {
  let asked = 0;
  answerPath(page, apiPaths.drop, () => {
    const at = steps[Math.min(asked, steps.length - 1)] ?? null;
    asked += 1;
    const next_step: DropView['next_step'] =
      at === null ? null : { step: 'start-offers', at, time_zone: 'Europe/Berlin' };
    return { json: { now: NOW, next_step } };
  });
  await open(pagePaths.landing);
  await page.clock.runFor(IDLE_MS);
  return page.getByRole('complementary', { name: 'Next' });
}

describe('a drop under way', () => {
  const show = async ({ page, open }: Visitor, drop: Partial<DropView>) => {
    await answerCall(page, 'drop', { json: { now: NOW, next_step: null, ...drop } });
    await open(pagePaths.landing);
    await page.clock.runFor(IDLE_MS);
    return page.getByRole('complementary', { name: 'The drop' });
  };
  const field = ({ page }: Visitor) => page.getByLabel('Email');

  const states = [
    [
      'offering',
      'The order of this drop is fixed. Join now, and your place counts for the next one.',
    ],
    ['closed', 'This drop is over. Join now, and you are in line for the next one.'],
  ] as const;

  test('is announced to visitors, who can join; one that is open shows nothing', async () => {
    const visitor = await browser.visit();
    for (const [state, words] of states) {
      const notice = await show(visitor, { state, paused: null });
      await notice.getByText(words).waitFor();
      await expect.poll(() => notice.getByRole('link').getAttribute('href')).toBe(pagePaths.draw);
      await expect.poll(() => field(visitor).isVisible()).toBe(true);
    }
    const notice = await show(visitor, { state: 'open', paused: null });
    await expect.poll(() => notice.count()).toBe(0);
  });

  test('has no form while the operator has stopped joins, and says why', async () => {
    const visitor = await browser.visit();
    const notice = await show(visitor, { state: 'frozen', paused: 'The line is full. Be back.' });
    await notice.getByText('The line is full. Be back.').waitFor();
    await expect.poll(() => field(visitor).isVisible()).toBe(false);
    await expect.poll(() => visitor.page.getByRole('button', { name: 'JOIN' }).count()).toBe(0);
    await expectAccessiblePage(visitor.page);
  });
});

describe('the countdown', () => {
  test('counts by the clock of the server, names the time zone and has a calendar', async () => {
    const visitor = await browser.visit({
      timezoneId: 'America/New_York',
      reducedMotion: 'no-preference',
    });
    const countdown = await openLanding(visitor, '2031-05-03T18:00:00.000Z');
    await countdown.getByText(/^Masks are offered in 2 d 0(2:00:00|1:59:5\d)$/).waitFor();
    // Each frame of the turning mask is drawn in a time that runs, and none in one that is skipped.
    await visitor.page.clock.fastForward(60_000);
    await countdown.getByText(/^Masks are offered in 2 d 01:5[89]:\d\d$/).waitFor();
    await expect
      .poll(() => countdown.getByRole('status').textContent())
      .toBe('Masks are offered in 3 days');
    await expect.poll(() => countdown.getByRole('time').textContent()).toMatch(/3.*2:00.*Eastern/);
    const calendar = countdown.getByRole('link', { name: 'Add to calendar' });
    await expect.poll(() => calendar.getAttribute('href')).toBe(pagePaths.calendar);
    await expectAccessiblePage(visitor.page);
  });

  test('is covered by no toast, and takes no text out of the first view of a phone', async () => {
    const visitor = await browser.visit({ isMobile: true });
    const { page } = visitor;
    const next = await openLanding(visitor, '2031-05-04T22:00:00.000Z');
    const toast = toastOf(page);
    await page.getByRole('button', { name: 'SECURE YOUR SPOT' }).click();
    await toast.waitFor();
    // The page scrolls to the field that gets the focus.
    await page.locator('input[type="email"]:focus').waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    const edgesOf = async (part: Locator) => {
      const { y, height } = (await part.boundingBox()) ?? { y: Number.NaN, height: 0 };
      return { top: y, bottom: y + height };
    };
    const overlap = async () => {
      const [one, other] = [await edgesOf(toast), await edgesOf(next)];
      return Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    };
    await expect.poll(overlap).toBeLessThanOrEqual(0);
    const scarcity = page.getByRole('heading', { name: /^ONLY/ });
    const bar = page.getByRole('button', { name: 'JOIN THE WAITLIST' });
    await expect
      .poll(async () => (await edgesOf(bar)).top - (await edgesOf(scarcity)).bottom)
      .toBeGreaterThan(0);
  });

  test('moves once a minute for people who want no motion', async () => {
    const countdown = await openLanding(await browser.visit(), '2031-05-03T18:00:00.000Z');
    await countdown.getByText(/^Masks are offered in 2 d 02:00$/).waitFor();
  });

  test('ends with what follows', async () => {
    const visitor = await browser.visit();
    const countdown = await openLanding(visitor, '2031-05-01T16:01:00.000Z', null);
    await countdown.getByText(/^Masks are offered in 00:01$/).waitFor();
    await visitor.page.clock.runFor(61_000);
    await countdown
      .getByText(/^Masks are offered any moment now$/)
      .first()
      .waitFor();
    await visitor.page.clock.runFor(11_000);
    await countdown.waitFor({ state: 'detached' });
  });
});
