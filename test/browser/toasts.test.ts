/** SPEC 4 and 9: one toast at a time, its duration, and how it is dismissed. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pagePaths } from '../../contract/paths.ts';
import { openTestBrowser, type Visitor } from '../support/browser.ts';
import { answerCall } from '../support/browser-api.ts';
import { readToast, toastOf } from '../support/browser-toast.ts';
import { pageStates } from '../support/page-states.ts';
import { lookAtEach } from '../support/page-visits.ts';
import { isFull } from '../support/short-form.ts';

const browser = openTestBrowser();

const submit = (page: Page) => page.getByRole('button', { name: 'SECURE YOUR SPOT' }).click();

async function raiseToast(): Promise<Visitor> {
  const visitor = await browser.visit();
  await visitor.open(pagePaths.landing());
  await submit(visitor.page);
  await readToast(visitor.page, 'Email required');
  return visitor;
}

/** Drags the toast to the right by this many pixels and lets go. */
async function swipe(page: Page, distance: number): Promise<void> {
  const box = await toastOf(page).locator('.toast-title').boundingBox();
  if (!box) throw new Error('The toast has no box.');
  const start = { x: box.x + 20, y: box.y + box.height / 2 };
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + distance / 2, start.y);
  await page.mouse.move(start.x + distance, start.y);
  await page.mouse.up();
}

test('a toast stays for 5000 ms', async () => {
  const { page } = await raiseToast();
  await page.clock.runFor(4999);
  await expect.poll(() => toastOf(page).count()).toBe(1);
  await page.clock.runFor(1);
  await toastOf(page).waitFor({ state: 'detached' });
});

test('a new toast replaces the old one and has its own 5000 ms', async () => {
  const { page, expectNoise } = await raiseToast();
  expectNoise(/409/);
  await answerCall(page, 'join', {
    status: 409,
    json: { detail: 'This address is already registered.' },
  });
  await page.clock.runFor(4000);
  await page.getByLabel('Email').fill('someone@example.com');
  await submit(page);
  await readToast(page, 'Already registered');
  await page.clock.runFor(4999);
  await expect.poll(() => toastOf(page).innerText()).toContain('Already registered');
  await page.clock.runFor(1);
  await toastOf(page).waitFor({ state: 'detached' });
});

test('the same toast raised again restarts its 5000 ms', async () => {
  const { page } = await raiseToast();
  await page.clock.runFor(4000);
  await toastOf(page).evaluate((element) => element.setAttribute('data-first', ''));
  await submit(page);
  await page.locator('.toast:not([data-first])').waitFor();
  await page.clock.runFor(4999);
  await expect.poll(() => toastOf(page).count()).toBe(1);
  await page.clock.runFor(1);
  await toastOf(page).waitFor({ state: 'detached' });
});

test('a toast is dismissed by a swipe of more than 50 px, not of 50', async () => {
  const { page } = await raiseToast();
  await swipe(page, 50);
  await page.locator('.toast[data-swipe="cancel"]').waitFor();
  await expect.poll(() => toastOf(page).getAttribute('data-state')).toBe('open');
  await swipe(page, 52);
  await toastOf(page).waitFor({ state: 'detached' });
});

test('a toast is dismissed by its close button and by Escape', async () => {
  const { page } = await raiseToast();
  await page.getByRole('button', { name: 'Close notification' }).click();
  await toastOf(page).waitFor({ state: 'detached' });
  await submit(page);
  await readToast(page, 'Email required');
  await page.getByRole('button', { name: 'Close notification' }).focus();
  await page.keyboard.press('Escape');
  await toastOf(page).waitFor({ state: 'detached' });
});

test('its time stands still under the pointer and while it has the focus', async () => {
  const { page } = await raiseToast();
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
  await toastOf(page).waitFor({ state: 'detached' });
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.className))
    .toBe('toast-viewport');
});

test('a toast is announced to screen readers at once', async () => {
  const { page } = await raiseToast();
  const announcement = page.locator('[role="status"][aria-live="assertive"]');
  await page.clock.runFor(100);
  await announcement.filter({ hasText: 'Email required' }).waitFor({ state: 'attached' });
});

/** The toast is raised in the smaller window of a device; it moves when the window grows. */
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

/** The page states that raise a toast. */
const RAISING = [
  'landing with a referral',
  'landing of a member who comes back',
  'landing with a refusal',
  'landing with an address that is in line',
  'invite with a refusal',
  'invite with a join that failed',
  'invite that cannot be verified',
  'invalid invite',
  'status of somebody who has just joined',
  'status with a copied link',
  'status with a link that could not be copied',
  'status without stats',
  'status that cannot be loaded',
];

test.each(DEVICES)(
  'it covers neither header, banner, headline, number, field nor submit button ($windows)',
  async ({ isMobile, windows }) => {
    const viewport = windows[0];
    const visitor = await browser.visit({ viewport, isMobile, permissions: ['clipboard-write'] });
    const { page } = visitor;
    const names = isMobile || isFull ? RAISING : RAISING.slice(0, 3);
    const states = pageStates.filter(({ name }) => names.includes(name));
    expect(states).toHaveLength(names.length);
    const look = async () => {
      await toastOf(page).waitFor();
      for (const { width, height } of windows) {
        await page.setViewportSize({ width, height });
        await expect
          .poll(() => findCovered(page), { message: `at ${width} x ${height}` })
          .toEqual([]);
        await expect
          .poll(() => findMissed(page), { message: `under a finger at ${width} x ${height}` })
          .toEqual([]);
      }
    };
    await lookAtEach(visitor, states, look, { viewport });
  },
);

/** What a finger is meant to press and would not hit. */
function findMissed(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll(
        '.wordmark, .header-actions > :not([data-hidden="true"]), .banner, [type="submit"]',
      ),
    ]
      .filter((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        return hit !== null && !element.contains(hit);
      })
      .map((element) => element.outerHTML.slice(0, 80)),
  );
}

/** What matters on the page and lies under the toast. */
function findCovered(page: Page): Promise<string[]> {
  return toastOf(page).evaluate((toast) => {
    const box = toast.getBoundingClientRect();
    return [
      ...document.querySelectorAll(
        'h1, .dot-number, input[type="email"], button[type="submit"], .invite-actions .button',
      ),
    ]
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
  });
}
