import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { coarsePaint } from '../../brand/art/ghost.ts';
import { brand } from '../../brand/brand.ts';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { paintPath } from '../../web/ui/coarse-paint.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerCall, answerStatus, holdCall, MEMBER, STATS } from '../support/browser-api.ts';
import { lookAtEach } from '../support/page-visits.ts';
import { readDigits } from '../support/position-digits.ts';

const browser = openTestBrowser();

declare global {
  interface Window {
    viewTransitions: number;
    travelled: string | null;
    firstFace: Element | null;
  }
}

const path = fillPath(pagePaths.status, MEMBER.id);
const REFRESH_MS = 30_100;
const LIVE_AFTER_MS = 1_100;

test('without motion a refresh shows the new position at once, and for 5 s the move', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page);
  await open(path);
  await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
  await expect.poll(() => readDigits(page)).toEqual(['>#', '>1', '>2', '>8']);
  await answerStatus(page, { position: 126 });
  await page.clock.runFor(REFRESH_MS);
  await page.getByRole('heading', { name: 'Ghost #126 in line' }).waitFor();
  await expect.poll(() => readDigits(page)).toEqual(['>#', '>1', '>2', '8>6']);
  const chip = page.getByText('2 places up', { exact: true });
  await chip.waitFor();
  await page.clock.runFor(4_900);
  await expect.poll(() => chip.isVisible()).toBe(true);
  await page.clock.runFor(200);
  await chip.waitFor({ state: 'detached' });
});

test('digits count while the sign before them stands still, and the mask travels', async () => {
  const { page, open } = await browser.visit({ reducedMotion: 'no-preference' });
  await answerStatus(page, { position: 980 });
  await open(path);
  await page.getByRole('heading', { name: 'Ghost #980 in line' }).waitFor();
  const sign = await page.locator('.position-card [data-digit="#"]').elementHandle();
  // Noted as it begins, because it runs by the clock of the machine.
  await page.evaluate(() => {
    const { animate } = Element.prototype;
    Element.prototype.animate = function note(...frames) {
      window.travelled = this.getAttribute('class');
      return animate.apply(this, frames);
    };
  });
  await answerStatus(page, { position: 41 });
  await page.clock.runFor(REFRESH_MS);
  await page.getByRole('heading', { name: 'Ghost #41 in line' }).waitFor();
  const readNumber = async () =>
    Number(
      (await readDigits(page))
        .map((digit) => digit.split('>')[1])
        .slice(1)
        .join(''),
    );
  await page.clock.runFor(100);
  const early = await readNumber();
  await page.clock.runFor(200);
  const late = await readNumber();
  expect([early < 980, late < early, late > 41]).toEqual([true, true, true]);
  await expect.poll(() => page.evaluate(() => window.travelled)).toBe('mask-meter-lit');
  await page.clock.runFor(1_000);
  await expect.poll(() => readNumber()).toBe(41);
  await expect.poll(() => sign?.evaluate((element) => element.isConnected)).toBe(true);
});

test('The Hundred has the paint of the others and of the member, and follows moves', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page, { position: 2 });
  await answerCall(page, 'faces', { json: { faces: ['00000000800', 'f0000000000'] } });
  await open(path);
  await page.clock.runFor(3_000);
  const paint = (of: string) =>
    page.locator(`.mask-meter-25 ${of} .mask-meter-paint`).first().getAttribute('d');
  const others = () => page.locator('.mask-meter-25 > .mask-meter-paint').getAttribute('d');
  const own = paintPath(coarsePaint(MEMBER.referral_code), 0, 0);
  await expect.poll(others).toBe('M7.5 21.25h5M24 1.25h20');
  await expect.poll(() => paint('.mask-meter-lit')).toBe(own);
  await answerCall(page, 'faces', { json: { faces: ['f0000000000', '00000000800'] } });
  await page.clock.runFor(REFRESH_MS);
  await expect.poll(others).toBe('M0 1.25h20M31.5 21.25h5');
  await expect.poll(() => paint('.mask-meter-lit')).toBe(own);
  await answerCall(page, 'faces', { status: 200, json: { faces: 'none' } });
  await page.clock.runFor(REFRESH_MS);
  await expect.poll(others).toBe('M0 1.25h20M31.5 21.25h5');
});

test('coming into the top is said, and the card flares once', async () => {
  const { page, open } = await browser.visit();
  const flare = page.locator('.ghost-card .tier-flare');
  await answerStatus(page, { position: 101 });
  await open(path);
  await page.getByRole('heading', { name: 'Ghost #101 in line' }).waitFor();
  await expect.poll(() => flare.count()).toBe(0);
  await answerStatus(page, { position: 100 });
  await page.clock.runFor(REFRESH_MS);
  await page.getByText(brand.copy.enteredTop).waitFor();
  await flare.waitFor({ state: 'attached' });
  await answerStatus(page, { position: 99 });
  await page.clock.runFor(REFRESH_MS);
  await page.getByRole('heading', { name: 'Ghost #99 in line' }).waitFor();
  await flare.waitFor({ state: 'detached' });
});

test('a move that the server sends is shown at once', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page);
  const streams = await answerCall(page, 'live', {
    text: `retry: 600000\n\ndata: ${JSON.stringify({ ...MEMBER, position: 41 })}\n\n`,
    contentType: 'text/event-stream',
  });
  await open(path);
  await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
  expect(streams).toEqual([]);
  await page.clock.runFor(LIVE_AFTER_MS);
  await page.getByRole('heading', { name: 'Ghost #41 in line' }).waitFor();
  await expect.poll(() => readDigits(page)).toEqual(['>#', '2>4', '8>1']);
  expect(streams).toHaveLength(1);
});

test('a tier that is reached flares once and is announced', async () => {
  const { page, open } = await browser.visit();
  const flare = page.locator('.referral-card .tier-flare');
  const named = page.locator('.tier-news, .position-news').filter({ hasText: 'Tier 1 reached: ' });
  await answerStatus(page);
  await open(path);
  await page.getByText('Tier 0').waitFor();
  await expect.poll(() => flare.count()).toBe(0);
  await page.locator('.stats-row').scrollIntoViewIfNeeded();
  await answerStatus(page, { tier_level: 1, referral_count: 3 });
  await page.clock.runFor(REFRESH_MS);
  await flare.waitFor({ state: 'attached' });
  await expect.poll(() => named.count()).toBe(2);
  await page.getByText('You have reached tier 1.').waitFor({ state: 'attached' });
  await page.clock.runFor(REFRESH_MS);
  await flare.waitFor({ state: 'detached' });
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
      return start.call(document, async () => {
        if (typeof change === 'function') await change();
        window.firstFace = document.querySelector('.ghost-card-face svg');
      });
    };
  });
  const [status] = [
    await holdCall(page, 'status'),
    await answerCall(page, 'stats', { json: STATS }),
  ];
  await answerCall(page, 'join', { status: 201, json: MEMBER });
  await open(pagePaths.landing);
  const nameOf = (selector: string) =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).viewTransitionName);
  const formName = await nameOf('.join-form');
  await page.getByLabel('Email').fill(MEMBER.email);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Loading' }).waitFor();
  const face = page.locator('.ghost-card-face svg');
  const [drawn, top] = [await face.elementHandle(), (await face.boundingBox())?.y];
  await expect
    .poll(() => page.evaluate((own) => window.firstFace === own, drawn))
    .toBe(transitions === 1);
  status.release({ json: MEMBER });
  await page.getByRole('heading', { name: 'Ghost #128 in line' }).waitFor();
  await expect.poll(() => drawn?.evaluate((own) => own.isConnected)).toBe(true);
  await expect.poll(async () => (await face.boundingBox())?.y).toBeCloseTo(top ?? 0, 0);
  await expect.poll(() => nameOf('.ghost-card-face')).toBe(formName);
  await expect.poll(() => page.evaluate(() => window.viewTransitions)).toBe(transitions);
});

test('number and face share the first view, and nothing moves as they load', async () => {
  const visitor = await browser.visit();
  const { page } = visitor;
  const boxOf = async (part: string) => (await page.locator(part).boundingBox()) ?? fail(part);
  const parts = ['.position-card', '.ghost-card', '.ghost-card-face'];
  const states = FIRST_VIEWS.map(([width, height]) => ({
    name: `${width} x ${height}`,
    async reach() {
      await page.setViewportSize({ width, height });
      const status = await holdCall(page, 'status');
      await answerCall(page, 'stats', { json: STATS });
      await page.goto(path, { waitUntil: 'commit' });
      await page.locator('.dot-number-unlit').waitFor();
      const loading = await Promise.all(parts.map(boxOf));
      status.release({ json: { ...MEMBER, position: 12_480 } });
      await page.getByRole('heading', { name: 'Ghost #12,480 in line' }).waitFor();
      await page.locator('.stats-row').waitFor();
      await vi.waitFor(async () => {
        const loaded = await Promise.all(parts.map(boxOf));
        for (const [index, { x, y, width: wide }] of loaded.entries()) {
          const before = loading[index] ?? fail('no box');
          const moves = [x - before.x, y - before.y, wide - before.width];
          expect(Math.max(...moves.map(Math.abs))).toBeLessThan(1);
        }
        const [, card, face] = loaded as [Box, Box, Box];
        const [kit, hundred] = [await boxOf('.share-kit'), await boxOf('.position-meter')];
        expect(face.y + face.height).toBeLessThanOrEqual(height);
        expect(hundred.y).toBeGreaterThan(kit.y + kit.height);
        if (width < 1440) {
          expect(card.height).toBeLessThanOrEqual(0.46 * height);
          expect(face.width).toBeGreaterThanOrEqual(160);
          return;
        }
        expect(face.width).toBeGreaterThanOrEqual(220);
        expect(face.width / card.width).toBeGreaterThanOrEqual(0.65);
        expect(face.x + face.width / 2).toBeCloseTo(card.x + card.width / 2, 0);
      }, 20_000);
    },
  }));
  await lookAtEach(visitor, states, async () => undefined);
});

const FIRST_VIEWS = [
  [390, 844],
  [360, 740],
  [1440, 900],
  [2560, 1440],
] as const;

type Box = NonNullable<Awaited<ReturnType<ReturnType<Page['locator']>['boundingBox']>>>;

function fail(what: string): never {
  throw new Error(`${what} is not there.`);
}
