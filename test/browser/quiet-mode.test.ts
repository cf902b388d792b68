import type { ElementHandle, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { DESKTOP, openTestBrowser, type Visitor } from '../support/browser.ts';
import { answerCall, answerStatus, MEMBER } from '../support/browser-api.ts';
import { tellStory } from '../support/tell-story.ts';

const browser = openTestBrowser();

declare global {
  interface Window {
    askedFrames: number;
  }
}

/** Time for which a page is watched for something that must not happen. */
const WATCH_MS = 500;

type Visit = Parameters<typeof browser.visit>[0];

const PAGES = [
  pagePaths.landing,
  fillPath(pagePaths.invite, MEMBER.referral_code),
  fillPath(pagePaths.status, MEMBER.id),
];

const light = (page: Page) => page.locator('.pointer-light');
const quietToggle = (page: Page) => page.getByRole('button', { name: 'Quiet mode' });
const countFrames = (page: Page) => page.evaluate(() => window.askedFrames);
async function countWatchedFrames(page: Page): Promise<number> {
  const before = await countFrames(page);
  await page.waitForTimeout(WATCH_MS);
  return (await countFrames(page)) - before;
}
const moving = (page: Page) =>
  page.evaluate(
    () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
  );

async function visit(options: Visit = {}): Promise<Visitor> {
  const visitor = await browser.visit({
    hasRunningClock: true,
    viewport: DESKTOP,
    reducedMotion: 'no-preference',
    ...options,
  });
  await visitor.context.addInitScript(() => {
    window.askedFrames = 0;
    const { requestAnimationFrame } = window;
    window.requestAnimationFrame = (run) => {
      window.askedFrames += 1;
      return requestAnimationFrame(run);
    };
  });
  await answerStatus(visitor.page);
  await answerCall(visitor.page, 'verifyReferral', {
    json: { valid: true, referrer_email: 'host@example.com' },
  });
  return visitor;
}

async function strokeMask(page: Page): Promise<void> {
  const box = await page.locator('#mask').boundingBox();
  if (!box) throw new Error('The mask has no box.');
  await page.mouse.move(box.x + box.width / 2, box.y + 300);
  await page.mouse.move(box.x + box.width / 3, box.y + 400, { steps: 5 });
}

async function expectStillness({ page }: Visitor): Promise<void> {
  await strokeMask(page);
  await expect.poll(() => countWatchedFrames(page)).toBe(0);
  await expect.poll(() => moving(page)).toBe(0);
  await expect.poll(() => light(page).count()).toBe(0);
  await expect.poll(() => page.locator('.charge-sweep, .music-light').count()).toBe(0);
}

const glow = (page: Page) =>
  light(page).evaluate((canvas: HTMLCanvasElement) => {
    const pixels =
      canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    return pixels.some((value) => value > 0);
  });

const step = tellStory('light follows the pointer, until quiet mode stops it on every page');
let visitor: Visitor;
let picture: ElementHandle | null;

step('the pointer charges the dots of the mask, and frames end with the charge', async () => {
  visitor = await visit();
  const { page, open, allowNoise } = visitor;
  // The test causes this warning by reading the pixels.
  allowNoise(/willReadFrequently/);
  await open(pagePaths.landing);
  picture = await page.locator('#mask svg').elementHandle();
  await light(page).waitFor({ state: 'attached' });
  await page.locator('.charge-sweep').waitFor({ state: 'attached' });
  await expect.poll(() => glow(page)).toBe(false);
  await strokeMask(page);
  await expect.poll(() => countFrames(page)).toBeGreaterThan(10);
  await expect.poll(() => glow(page)).toBe(true);
  await expect.poll(() => countWatchedFrames(page), { timeout: 30_000 }).toBe(0);
  await expect.poll(() => glow(page)).toBe(false);
});

step('while music plays the mask takes on its charge', async () => {
  const { page } = visitor;
  const toggle = page.getByRole('button', { name: 'Music' });
  await page.locator('.music-light').waitFor({ state: 'attached' });
  await toggle.click();
  await page.locator('.music-light').waitFor({ state: 'detached' });
  await toggle.click();
  await page.locator('.music-light').waitFor({ state: 'attached' });
});

step('quiet mode dims the dots and stops light and motion', async () => {
  const { page } = visitor;
  const opacity = () =>
    page.locator('#mask svg').evaluate((svg) => Number(getComputedStyle(svg).opacity));
  await expect.poll(() => opacity()).toBe(1);
  await expect.poll(() => quietToggle(page).getAttribute('aria-pressed')).toBe('false');
  await quietToggle(page).click();
  await page.locator('.charge-sweep').waitFor({ state: 'detached' });
  await expect.poll(() => opacity()).toBeLessThan(0.7);
  await expectStillness(visitor);
});

step('hydration, light and quiet mode leave the served picture in place', async () => {
  await expect.poll(() => picture?.evaluate((svg) => svg.isConnected)).toBe(true);
});

step('quiet mode is on for every page of the visit until it is off', async () => {
  const { page, open, becomeLive } = visitor;
  await page.reload();
  await becomeLive();
  await page.locator('[data-quiet]').waitFor();
  await expectStillness(visitor);
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
  for (const path of PAGES) {
    await open(path);
    await expect.poll(() => quietToggle(page).getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => moving(page)).toBe(0);
  }
  await open(pagePaths.landing);
  await quietToggle(page).click();
  await light(page).waitFor({ state: 'attached' });
});

test('a finger charges the dots, too, while the page scrolls under it', async () => {
  const { page, open, context, allowNoise } = await visit({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  allowNoise(/willReadFrequently/);
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  const devTools = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
    devTools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: 195, y }],
    });
  await open(pagePaths.landing);
  await page.locator('.charge-sweep').waitFor({ state: 'attached' });
  await page.waitForTimeout(WATCH_MS);
  await expect.poll(() => light(page).count()).toBe(0);
  expect(fetched.filter((url) => url.includes('pointer-light'))).toEqual([]);
  await touch('touchStart', 400);
  await light(page).waitFor({ state: 'attached' });
  await expect.poll(() => glow(page)).toBe(true);
  await expect.poll(() => glow(page), { timeout: 30_000 }).toBe(false);
  for (let y = 390; y > 300; y -= 10) await touch('touchMove', y);
  await touch('touchEnd', 300);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(50);
  await expect.poll(() => glow(page)).toBe(true);
  await expect.poll(() => countWatchedFrames(page), { timeout: 30_000 }).toBe(0);

  await page.evaluate(() => scrollTo(0, 0));
  await quietToggle(page).evaluate((toggle: HTMLElement) => toggle.click());
  await light(page).waitFor({ state: 'detached' });
  await touch('touchStart', 400);
  await touch('touchEnd', 400);
  await expect.poll(() => countWatchedFrames(page)).toBe(0);
  await expect.poll(() => light(page).count()).toBe(0);
});

test('when the system asks for less motion or more contrast, nothing moves', async () => {
  const asking = await visit();
  const { page, open } = asking;
  const wishes = [
    { name: 'less motion', media: { reducedMotion: 'reduce', contrast: 'no-preference' } },
    { name: 'more contrast', media: { reducedMotion: 'no-preference', contrast: 'more' } },
  ] as const;
  for (const { name, media } of wishes) {
    await page.emulateMedia(media);
    // The landing page comes last, because its mask is stroked.
    for (const path of PAGES.toReversed()) {
      await open(path);
      await page.getByText('Quiet mode is on, as your system asks').waitFor();
      await expect.poll(() => moving(page), { message: `${name}: ${path}` }).toBe(0);
    }
    await expectStillness(asking);
  }
});
