/** docs/behaviour.md 4 and 9: one toast at a time, its duration, and how it is dismissed. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pagePaths } from '../../contract/paths.ts';
import { openTestBrowser, type Visitor } from '../support/browser.ts';
import { answerCall } from '../support/browser-api.ts';
import { readToast, toastOf } from '../support/browser-toast.ts';
import { pageStates } from '../support/page-states.ts';
import { lookAtEach } from '../support/page-visits.ts';
import { tellStory } from '../support/tell-story.ts';

const browser = openTestBrowser();
const SMALL_PHONE = { width: 320, height: 568 };

const submit = (page: Page) => page.getByRole('button', { name: 'SECURE YOUR SPOT' }).click();

const step = tellStory('a toast has 5000 ms, and is dismissed before by all who want to');
let page: Page;
let visitor: Visitor;

const isGone = () => toastOf(page).waitFor({ state: 'detached' });

async function raiseToast(): Promise<void> {
  await submit(page);
  await readToast(page, 'Email required');
}

async function swipe(distance: number): Promise<void> {
  const box = await toastOf(page).locator('.toast-title').boundingBox();
  if (!box) throw new Error('The toast has no box.');
  const start = { x: box.x + 20, y: box.y + box.height / 2 };
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + distance / 2, start.y);
  await page.mouse.move(start.x + distance, start.y);
  await page.mouse.up();
}

step('it is announced to screen readers at once, and stays for 5000 ms', async () => {
  visitor = await browser.visit();
  page = visitor.page;
  await visitor.open(pagePaths.landing);
  await raiseToast();
  const announcement = page.locator('[role="status"][aria-live="assertive"]');
  await page.clock.runFor(100);
  await announcement.filter({ hasText: 'Email required' }).waitFor({ state: 'attached' });
  await page.clock.runFor(4899);
  await expect.poll(() => toastOf(page).count()).toBe(1);
  await page.clock.runFor(1);
  await isGone();
});

step('it is dismissed by a swipe of more than 50 px, not of 50', async () => {
  await raiseToast();
  await swipe(50);
  await page.locator('.toast[data-swipe="cancel"]').waitFor();
  await expect.poll(() => toastOf(page).getAttribute('data-state')).toBe('open');
  await swipe(52);
  await isGone();
});

step('it is dismissed by its close button and by Escape', async () => {
  await raiseToast();
  await page.getByRole('button', { name: 'Close notification' }).click();
  await isGone();
  await raiseToast();
  await page.getByRole('button', { name: 'Close notification' }).focus();
  await page.keyboard.press('Escape');
  await isGone();
});

step('its time stands still under the pointer and while it has the focus', async () => {
  await raiseToast();
  await page.clock.runFor(3000);
  await toastOf(page).hover();
  await page.clock.runFor(10_000);
  await page.mouse.move(0, 0);
  await page.clock.runFor(1999);
  await page.keyboard.press('F8');
  await page.keyboard.press('Tab');
  await page.clock.runFor(10_000);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.className))
    .toBe('toast-close');
  await page.keyboard.press('Enter');
  await isGone();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.className))
    .toBe('toast-viewport');
});

step('a new one replaces the old one and has its own 5000 ms', async () => {
  visitor.expectNoise(/409/);
  await answerCall(page, 'join', {
    status: 409,
    json: { detail: 'This address is already registered.' },
  });
  await raiseToast();
  await page.clock.runFor(4000);
  await page.getByLabel('Email').fill('someone@example.com');
  await submit(page);
  await readToast(page, 'Already registered');
  await page.clock.runFor(4999);
  await expect.poll(() => toastOf(page).innerText()).toContain('Already registered');
  await page.clock.runFor(1);
  await isGone();
});

/** The toast is raised in the smaller window, and moves when the window grows. */
const DEVICES = [
  {
    isMobile: true,
    windows: [
      { width: 360, height: 740 },
      { width: 390, height: 844 },
    ],
  },
  {
    isMobile: false,
    windows: [
      { width: 768, height: 1024 },
      { width: 1440, height: 900 },
    ],
  },
] as const;

const RAISING = [
  'landing with a referral',
  'landing of a member who comes back',
  'landing with an address that is in line',
  'invite with a refusal',
  'invite that cannot be verified',
  'invalid invite',
  'status without stats',
  'status that cannot be loaded',
  'landing with a refusal',
  'invite with a join that failed',
  'status of somebody who has just joined',
  'status with a copied link',
  'status with a link that could not be copied',
];

test.each(DEVICES)(
  'it covers no face, headline, number, field or button, and is one line where it must ($windows)',
  async ({ isMobile, windows }) => {
    const viewport = windows[0];
    const visitor = await browser.visit({ viewport, isMobile, permissions: ['clipboard-write'] });
    const { page } = visitor;
    const states = pageStates.filter(({ name }) => RAISING.includes(name));
    expect(states).toHaveLength(RAISING.length);
    const look = async () => {
      await toastOf(page).waitFor();
      for (const { width, height } of windows) {
        await page.setViewportSize({ width, height });
        await expect
          .poll(() => findCovered(page, isMobile), { message: `at ${width} x ${height}` })
          .toEqual([]);
        await expect
          .poll(() => findMissed(page), { message: `under a finger at ${width} x ${height}` })
          .toEqual([]);
        if ((await lineOf(page).count()) === 0) continue;
        const header = await page.locator('.page-header').boundingBox();
        await expect
          .poll(async () => (await toastOf(page).boundingBox())?.height, { message: 'one line' })
          .toBeLessThanOrEqual((header?.height ?? 0) + 1);
      }
    };
    await lookAtEach(visitor, states, look, { viewport });
  },
);

/** A toast that is a line over the header. */
const lineOf = (page: Page) => page.locator('.toast-viewport[data-line]');

async function findMissed(page: Page): Promise<string[]> {
  const header = '.wordmark, .header-actions > :not([data-hidden="true"]), ';
  const isOverHeader = (await lineOf(page).count()) > 0;
  return await page.evaluate(
    (parts) =>
      [...document.querySelectorAll(parts)]
        .filter((element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          const hit = document.elementFromPoint(left + width / 2, top + height / 2);
          return hit !== null && !element.contains(hit);
        })
        .map((element) => element.outerHTML.slice(0, 80)),
    `${isOverHeader ? '' : header}.banner, [type="submit"]`,
  );
}

/** On a phone no face is covered either. */
function findCovered(page: Page, isMobile: boolean): Promise<string[]> {
  const parts =
    'h1, .dot-number, input[type="email"], button[type="submit"], .invite-actions .button';
  return toastOf(page).evaluate(
    (toast, covered) => {
      const box = toast.getBoundingClientRect();
      return [...document.querySelectorAll(covered)]
        .filter((element) => !element.closest('.referral-card, .stats-row'))
        .filter((element) => {
          const part = element.getBoundingClientRect();
          return (
            box.left < part.right &&
            part.left < box.right &&
            box.top < part.bottom &&
            part.top < box.bottom
          );
        })
        .map((element) => element.outerHTML.slice(0, 80));
    },
    `${parts}${isMobile ? ', .inline-art' : ''}`,
  );
}

test('a long detail leaves most of a small phone free, and is read in the page, too', async () => {
  const { page, open, expectNoise } = await browser.visit({ viewport: SMALL_PHONE });
  expectNoise(/400/);
  const detail = 'This is what went wrong. '.repeat(26).trim();
  await answerCall(page, 'join', { status: 400, json: { detail } });
  await open(pagePaths.landing);
  await page.getByLabel('Email').fill('somebody@example.com');
  await submit(page);
  await expect(readToast(page, 'Something went wrong')).resolves.toMatchObject({
    description: detail,
  });
  await expect
    .poll(async () => (await toastOf(page).boundingBox())?.height)
    .toBeLessThan(SMALL_PHONE.height / 2);
  await expect.poll(() => page.locator('form [data-form-message]').innerText()).toBe(detail);
});
