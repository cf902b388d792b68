import type { ElementHandle, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { DESKTOP, openTestBrowser, type Visitor } from '../support/browser.ts';
import { answerCall, answerStatus, MEMBER } from '../support/browser-api.ts';
import { tellStory } from '../support/tell-story.ts';

const browser = openTestBrowser();

declare global {
  interface Window {
    /** Animation frames that the page has requested and that are still to come. */
    pendingFrames: Set<number>;
    /** Share of the drawn pixels that are green (bone has 4 more of it), and a changing sum. */
    look(): { readonly green: number; readonly sum: number };
    /** Once it is false, it notes the first frame in which the mask is charged. */
    isCharged: boolean | undefined;
  }
}

type Visit = Parameters<typeof browser.visit>[0];

const PAGES = [
  pagePaths.landing,
  fillPath(pagePaths.invite, MEMBER.referral_code),
  fillPath(pagePaths.status, MEMBER.id),
];

const turning = (page: Page) => page.locator('.landing-mask .turning-mask');
const quietToggle = (page: Page) => page.getByRole('button', { name: 'Quiet mode' });
const countFrames = (page: Page) => page.evaluate(() => window.pendingFrames.size);
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
    const { requestAnimationFrame, cancelAnimationFrame } = window;
    const pending = new Set<number>();
    window.pendingFrames = pending;
    window.requestAnimationFrame = (run) => {
      const frame = requestAnimationFrame((now) => {
        pending.delete(frame);
        run(now);
        if (window.isCharged === false) window.isCharged = window.look().green > 0.005;
      });
      pending.add(frame);
      return frame;
    };
    window.cancelAnimationFrame = (frame) => {
      pending.delete(frame);
      cancelAnimationFrame(frame);
    };
    window.look = () => {
      const canvas = document.querySelector<HTMLCanvasElement>('.landing-mask .turning-mask');
      const context = canvas?.getContext('2d') as CanvasRenderingContext2D;
      const { data } = context.getImageData(0, 0, context.canvas.width, context.canvas.height);
      let [drawn, green, sum] = [0, 0, 0];
      for (let at = 0; at < data.length; at += 4) {
        if ((data[at + 3] ?? 0) < 200) continue;
        drawn += 1;
        sum = (sum + at * (data[at] ?? 0)) % 1e9;
        if ((data[at + 1] ?? 0) > (data[at] ?? 0) + 12) green += 1;
      }
      return { green: green / drawn, sum };
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
  await expect.poll(() => countFrames(page)).toBe(0);
  await expect.poll(() => moving(page)).toBe(0);
  await expect.poll(() => page.locator('.turning-mask, .charge-sweep').count()).toBe(0);
}

const look = (page: Page) => page.evaluate(() => window.look());
/** From now on a charge is noted, which decays within seconds. */
const noteCharge = (page: Page) => page.evaluate(() => Object.assign(window, { isCharged: false }));
const isCharged = (page: Page) => page.evaluate(() => window.isCharged);

/** Music begins by itself, and would charge the whole mask. */
const silence = (page: Page) => page.getByRole('button', { name: 'Music', pressed: true }).click();

async function expectTurning(page: Page): Promise<void> {
  const { sum } = await look(page);
  await expect.poll(async () => (await look(page)).sum).not.toBe(sum);
}

const step = tellStory('the mask turns and follows the pointer, until quiet mode stops it');
let visitor: Visitor;
let picture: ElementHandle | null;

step('the mask sways in view, and the pointer charges its dots', async () => {
  visitor = await visit();
  const { page, open, allowNoise } = visitor;
  // The test causes this warning by reading the pixels.
  allowNoise(/willReadFrequently/);
  await open(pagePaths.landing);
  picture = await page.locator('#mask svg').elementHandle();
  await silence(page);
  await turning(page).waitFor();
  await page.locator('#mask svg').waitFor({ state: 'hidden' });
  await expectTurning(page);
  await expect.poll(async () => (await look(page)).green, { timeout: 30_000 }).toBe(0);
  await noteCharge(page);
  await strokeMask(page);
  await expect.poll(() => isCharged(page)).toBe(true);
  await expect.poll(async () => (await look(page)).green, { timeout: 30_000 }).toBe(0);
});

step('out of view it asks for no frame', async () => {
  const { page } = visitor;
  await page.getByRole('heading', { name: 'See it' }).waitFor();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect.poll(() => countFrames(page), { timeout: 30_000 }).toBe(0);
  // A mask that follows a pointer at rest is at rest, too.
  await page.mouse.move(0, 0);
  await page.evaluate(() => scrollTo(0, 0));
  await expectTurning(page);
});

step('while music plays the mask takes on its charge', async () => {
  const { page } = visitor;
  await page.mouse.move(0, 0);
  const toggle = page.getByRole('button', { name: 'Music' });
  await toggle.click();
  await expect.poll(async () => (await look(page)).green, { timeout: 30_000 }).toBeGreaterThan(0.5);
  await toggle.click();
  await expect.poll(async () => (await look(page)).green, { timeout: 30_000 }).toBeLessThan(0.1);
});

step('quiet mode dims the dots and stops light and motion', async () => {
  const { page } = visitor;
  const opacity = () =>
    page.locator('#mask svg').evaluate((svg) => Number(getComputedStyle(svg).opacity));
  await expect.poll(() => opacity()).toBe(1);
  await expect.poll(() => quietToggle(page).getAttribute('aria-pressed')).toBe('false');
  await quietToggle(page).click();
  await turning(page).waitFor({ state: 'detached' });
  await page.locator('#mask svg').waitFor();
  await expect.poll(() => opacity()).toBeLessThan(0.7);
  await expectStillness(visitor);
});

step('hydration, turning and quiet mode leave the served picture in place', async () => {
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
  await turning(page).waitFor();
});

test('a finger turns the mask across, charges its dots, and scrolls the page down', async () => {
  const { page, open, context, allowNoise } = await visit({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  allowNoise(/willReadFrequently/);
  const devTools = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number) =>
    devTools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
    });
  await open(pagePaths.landing);
  await silence(page);
  await turning(page).waitFor();
  await noteCharge(page);
  await touch('touchStart', 195, 400);
  for (let x = 195; x < 320; x += 10) await touch('touchMove', x, 400);
  await expect.poll(() => isCharged(page)).toBe(true);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await touch('touchEnd', 320, 400);
  await touch('touchStart', 195, 400);
  for (let y = 390; y > 300; y -= 10) await touch('touchMove', 195, y);
  await touch('touchEnd', 195, 300);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(50);

  await page.evaluate(() => scrollTo(0, 0));
  await quietToggle(page).evaluate((toggle: HTMLElement) => toggle.click());
  await turning(page).waitFor({ state: 'detached' });
  await expect.poll(() => countFrames(page)).toBe(0);
});

test('a mask that begins without a width turns once it has one', async () => {
  const { page, open, context, allowNoise } = await visit();
  allowNoise(/willReadFrequently/);
  await context.addInitScript(() => {
    const narrow = new CSSStyleSheet();
    narrow.replaceSync('.landing-mask { width: 0 !important }');
    document.adoptedStyleSheets = [narrow];
  });
  await open(pagePaths.landing);
  await turning(page).waitFor({ state: 'attached' });
  const widthOf = () => turning(page).evaluate((canvas: HTMLCanvasElement) => canvas.width);
  await expect.poll(() => widthOf()).toBe(0);
  await page.evaluate(() => document.adoptedStyleSheets.shift());
  await expect.poll(() => widthOf()).toBeGreaterThan(0);
  await expectTurning(page);
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
