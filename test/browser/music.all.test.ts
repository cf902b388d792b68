/** Background music (docs/behaviour.md 9) in browsers that allow autoplay and that block it. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { answerStatus, MEMBER } from '../support/browser-api.ts';
import { readToast, toastOf } from '../support/browser-toast.ts';
import { recordTimers, untilTimers } from '../support/page-timers.ts';

const browser = openTestBrowser();

declare global {
  interface Window {
    asked: string[];
    player: HTMLMediaElement | undefined;
  }
}

const toggle = (page: Page) => page.getByRole('button', { name: 'Music' });
const asked = (page: Page) => page.evaluate(() => window.asked);
const pressed = (page: Page, isOn: boolean) =>
  page.locator(`[data-music-toggle][aria-pressed="${isOn}"]`).waitFor();

/** Imitates blocked autoplay, because a browser under test always counts as touched. */
async function openLanding({
  isBlocked,
  path = pagePaths.landing,
  viewport = PHONE,
}: {
  isBlocked: boolean;
  path?: string;
  viewport?: typeof PHONE | typeof DESKTOP;
}) {
  const visitor = await browser.visit({ hasTouch: true, viewport });
  await visitor.context.addInitScript((isRefused: boolean) => {
    window.asked = [];
    let isSilent = isRefused;
    for (const gesture of ['click', 'touchend', 'keydown']) {
      addEventListener(gesture, ({ isTrusted }) => (isSilent &&= !isTrusted), true);
    }
    const { play, pause } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = async function (this: HTMLMediaElement) {
      window.asked.push('play');
      window.player = this;
      if (isSilent) throw new DOMException('no gesture yet', 'NotAllowedError');
      return play.call(this);
    };
    HTMLMediaElement.prototype.pause = function (this: HTMLMediaElement) {
      window.asked.push('pause');
      pause.call(this);
    };
  }, isBlocked);
  await recordTimers(visitor.context);
  await visitor.open(path);
  await untilTimers(visitor.page, 1000);
  return visitor;
}

test('music starts after 1000 ms, previews, pauses, and then loops at 0.4', async () => {
  const { page } = await openLanding({ isBlocked: false });
  await page.clock.runFor(999);
  await expect.poll(() => asked(page)).toEqual([]);
  await page.clock.runFor(1);
  await pressed(page, true);
  await expect.poll(() => asked(page)).toEqual(['play']);
  await expect
    .poll(() => page.evaluate(() => [window.player?.volume, window.player?.loop]))
    .toEqual([0.4, true]);
  await page.clock.runFor(2500);
  await expect.poll(() => asked(page)).toEqual(['play', 'pause', 'play']);
  await page.waitForFunction(() => window.player?.paused === false);
  await page.clock.runFor(60_000);
  await expect.poll(() => asked(page)).toHaveLength(3);
  await expect.poll(() => toastOf(page).count()).toBe(0);
});

test('blocked music says how to start it, and no byte is fetched before the attempt', async () => {
  const { page, becomeLive } = await openLanding({ isBlocked: true });
  const media: string[] = [];
  page.on('request', (request) => request.resourceType() === 'media' && media.push(request.url()));
  await page.clock.runFor(999);
  await expect.poll(() => asked(page)).toEqual([]);
  await page.evaluate(() => fetch('/favicon.svg'));
  expect(media).toEqual([]);
  await page.clock.runFor(1);
  await expect(readToast(page, 'Click to play music')).resolves.toEqual({
    title: 'Click to play music',
    description: 'Browsers require user interaction to play audio.',
    isDestructive: false,
  });
  await pressed(page, false);

  // Once a session is enough.
  await page.reload();
  await becomeLive();
  await page.clock.runFor(1000);
  await expect.poll(() => asked(page)).toEqual(['play']);
  await page.clock.runFor(1000);
  await expect.poll(() => toastOf(page).count()).toBe(0);
});

test('blocked music starts on the first click, touch or key, or on its own button', async () => {
  const gestures: readonly [name: string, make: (page: Page) => Promise<void>][] = [
    ['a click', (page) => page.getByRole('heading', { level: 1 }).click({ force: true })],
    ['a touch', (page) => page.touchscreen.tap(200, 400)],
    ['a key', (page) => page.keyboard.press('a')],
    ['its own button', (page) => toggle(page).click()],
  ];
  // On a phone the toast covers the button, and takes the tap that starts the music.
  const { page, becomeLive } = await openLanding({ isBlocked: true, viewport: DESKTOP });
  for (const [message, make] of gestures) {
    await page.clock.runFor(1000);
    await readToast(page, 'Click to play music');
    await make(page);
    await pressed(page, true);
    await expect
      .poll(() => page.evaluate(() => [window.player?.paused, window.player?.volume]), { message })
      .toEqual([false, 0.4]);
    const before = await asked(page);
    await page.keyboard.press('b');
    await expect.poll(() => asked(page), { message }).toEqual(before);
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await becomeLive();
    await untilTimers(page, 1000);
  }
});

test('music and teaser never play together', async () => {
  const { page, open } = await openLanding({ isBlocked: false });
  await answerStatus(page);
  await open(fillPath(pagePaths.status, MEMBER.id));
  await toggle(page).click();
  await pressed(page, true);
  await page.getByRole('button', { name: /^Play/ }).click();
  await pressed(page, false);
  await page.waitForFunction(() => document.querySelector('video')?.played.length === 1);
  await toggle(page).click();
  await pressed(page, true);
  await page.waitForFunction(() => document.querySelector('video')?.paused === true);
});
