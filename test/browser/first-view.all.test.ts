import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { product } from '../../brand/product.ts';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { DESKTOP, openTestBrowser } from '../support/browser.ts';
import { answerCall, answerStatus, MEMBER, STATS } from '../support/browser-api.ts';
import { joinLine } from '../support/browser-line.ts';
import { answerDrop, pathTo } from '../support/drop-states.ts';

const browser = openTestBrowser();

async function edgesOf(part: Locator): Promise<{ top: number; bottom: number }> {
  const box = await part.boundingBox();
  if (!box) throw new Error('A part has no box.');
  return { top: box.y, bottom: box.y + box.height };
}

test('phones show what it is about in the first view', async () => {
  const { page, open } = await browser.visit({
    viewport: { width: 390, height: 844 },
    isMobile: true,
  });
  await answerCall(page, 'stats', { json: { ...STATS, total_signups: 10_032 } });
  await open(pagePaths.landing);
  const tagline = page.getByText(brand.copy.tagline);
  const scarcity = page.getByRole('heading', { name: `ONLY ${brand.maskCount} MASKS` });
  await page.clock.runFor(3000);
  await page.locator('.line-count').waitFor();
  const bar = page.getByRole('button', { name: 'JOIN THE WAITLIST' });
  for (const [width, height] of [
    [390, 844],
    [390, 664],
    [360, 740],
    [360, 640],
    [375, 553],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height });
    const at = `at ${width} x ${height}`;
    await expect
      .poll(async () => (await edgesOf(bar)).top, { message: at })
      .toBeGreaterThan(height - 100);
    const { top } = await edgesOf(bar);
    await expect
      .poll(async () => (await edgesOf(tagline)).bottom, { message: at })
      .toBeLessThan(top);
    await expect
      .poll(async () => (await edgesOf(scarcity)).bottom, { message: at })
      .toBeLessThan(top);
  }
  await page.setViewportSize({ width: 844, height: 390 });
  for (const part of [tagline, page.getByLabel('Email')])
    await expect.poll(async () => (await edgesOf(part)).bottom).toBeLessThanOrEqual(390);
  const readMiddle = async () => {
    const { top, bottom } = await edgesOf(page.locator('#mask svg'));
    return (top + bottom) / 2;
  };
  await expect.poll(readMiddle).toBeLessThan(390);
});

test('phones share from the first view of a member’s page, by one button', async () => {
  const height = 844;
  const { page, open } = await browser.visit({ viewport: { width: 390, height }, isMobile: true });
  await answerStatus(page);
  await open(fillPath(pagePaths.status, MEMBER.id));
  await page.locator('.stats-row').waitFor();
  const share = page.getByRole('button', { name: 'Share & Climb the Ranks' });
  const link = page.getByLabel('Invite link', { exact: true });
  await expect.poll(async () => (await edgesOf(link)).top).toBeGreaterThan(height - 100);
  await expect.poll(async () => (await edgesOf(share)).bottom).toBeLessThanOrEqual(height);
  await expect.poll(async () => (await share.boundingBox())?.height).toBe(56);
  await page.getByRole('heading', { name: 'Rewards' }).scrollIntoViewIfNeeded();
  await expect.poll(async () => (await edgesOf(share)).bottom).toBeLessThan(0);
  await link.scrollIntoViewIfNeeded();
  await expect
    .poll(async () => (await edgesOf(share)).top - (await edgesOf(link)).bottom)
    .toBeLessThan(40);
});

test('who joins after the freeze reads the news and shares, all in the first view', async () => {
  const { page, open } = await browser.visit({ isMobile: true });
  await answerDrop(page, { place: { state: 'frozen', position: null, place: null, size: null } });
  await open(pathTo({}));
  await page.getByRole('heading', { name: "You're in line for the next drop" }).waitFor();
  const news = page.locator('.drop-card');
  const number = page.locator('.dot-number').first();
  const share = page.getByRole('button', { name: 'Share & Climb the Ranks' });
  for (const [width, height] of [
    [390, 844],
    [390, 664],
    [360, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    const message = `at ${width} x ${height}`;
    const readOrder = async () => {
      const [above, middle, below] = [
        await edgesOf(news),
        await edgesOf(number),
        await edgesOf(share),
      ];
      return above.bottom < middle.top && middle.bottom < below.top && below.bottom <= height;
    };
    await expect.poll(readOrder, { message }).toBe(true);
  }
});

test('a desk reads the outcome of the draw beside its title', async () => {
  const { page, expectNoise } = await browser.visit({ viewport: DESKTOP });
  expectNoise(/404/);
  await page.goto(pagePaths.draw);
  const title = page.getByRole('heading', { name: 'The draw', exact: true });
  const outcome = page.locator('.draw-outcome');
  await expect
    .poll(async () => (await edgesOf(outcome)).top - (await edgesOf(title)).bottom)
    .toBeLessThan(0);
});

test('the button of a member’s page cuts neither the face nor a heading', async () => {
  const { page, open } = await browser.visit({ isMobile: true });
  await answerStatus(page);
  await open(fillPath(pagePaths.status, MEMBER.id));
  await page.locator('.stats-row').waitFor();
  const share = page.getByRole('button', { name: 'Share & Climb the Ranks' });
  const card = page.locator('.ghost-card');
  const heading = page.getByRole('heading', { name: 'Your invite' });
  for (const [width, height] of [
    [390, 844],
    [430, 932],
    [390, 740],
    [390, 664],
    [360, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    const message = `at ${width} x ${height}`;
    const readGap = async () => (await edgesOf(share)).top - (await edgesOf(card)).bottom;
    await expect.poll(readGap, { message }).toBeGreaterThan(0);
    await expect
      .poll(async () => (await edgesOf(heading)).top - (await edgesOf(share)).top, { message })
      .toBeGreaterThanOrEqual(0);
    const readFace = async () => (await card.locator('svg').first().boundingBox())?.height;
    await expect.poll(readFace, { message }).toBeGreaterThan(160);
  }
});

test('the button of an invite is in view inside apps, and the page goes on below', async () => {
  const { page, open } = await browser.visit({ isMobile: true });
  await open(fillPath(pagePaths.invite, (await joinLine()).referral_code));
  const button = page.getByRole('button', { name: 'Accept Invite & Join' });
  for (const [width, height] of [
    [390, 664],
    [360, 620],
    [375, 553],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect
      .poll(async () => (await edgesOf(button)).bottom, { message: `at ${width} x ${height}` })
      .toBeLessThanOrEqual(height);
  }
  await page.clock.runFor(3000);
  await page.getByRole('img', { name: product.portrait.alt }).waitFor();
  await page.getByRole('heading', { name: 'How the line works' }).waitFor();
});

test.each([99, 100, 2417])('a line of %i is told from 100 on', async (members) => {
  const { page, open } = await browser.visit();
  const calls = await answerCall(page, 'stats', { json: { ...STATS, total_signups: members } });
  await open(pagePaths.landing);
  await page.clock.runFor(3000);
  await expect.poll(() => calls.length).toBe(1);
  await page.locator('.see-it').waitFor();
  const shown = page.locator('.line-count');
  if (members < 100) await expect.poll(() => shown.count()).toBe(0);
  else await expect.poll(() => shown.innerText()).toMatch(/^(100|2,417)\s+in line$/);
});

test('a desk keeps the way to the form in view', async () => {
  const { page, open } = await browser.visit({ viewport: DESKTOP });
  await open(pagePaths.landing);
  await page.clock.runFor(3000);
  await page.locator('.see-it').waitFor();
  await page.getByText('How the line works').scrollIntoViewIfNeeded();
  const join = page.getByRole('button', { name: 'JOIN THE WAITLIST' });
  await expect.poll(async () => (await edgesOf(join)).top).toBeGreaterThanOrEqual(0);
  await join.click();
  const field = page.getByLabel('Email', { exact: true });
  await expect.poll(async () => (await edgesOf(field)).top).toBeGreaterThan(64);
  await expect.poll(async () => (await edgesOf(field)).bottom).toBeLessThan(DESKTOP.height);
});

test('a member’s page is short on phones, where a press unfolds more ways to share', async () => {
  const { page, open } = await browser.visit({ isMobile: true });
  await answerStatus(page, { referral_count: 4 });
  await open(fillPath(pagePaths.status, MEMBER.id));
  const film = page.locator('.teaser');
  await film.scrollIntoViewIfNeeded();
  const readHeight = () => page.evaluate(() => document.documentElement.scrollHeight);
  await expect.poll(readHeight).toBeLessThan(2900);
  const app = page.getByRole('link', { name: 'WhatsApp' });
  await expect.poll(() => app.isVisible()).toBe(false);
  await page.getByText('More ways to share').click();
  await app.waitFor();

  const readShare = () => film.evaluate((box) => box.clientWidth / innerWidth);
  await expect.poll(readShare).toBeLessThan(0.6);
  await page.getByRole('button', { name: /^Play/ }).click();
  await expect.poll(readShare).toBeGreaterThan(0.85);
});

test('the focused field of a phone stands clear of the bar', async () => {
  const viewport = { width: 390, height: 844 };
  const { page, open } = await browser.visit({ viewport, isMobile: true });
  await open(pagePaths.landing);
  const bar = page.getByRole('button', { name: 'JOIN THE WAITLIST' });
  const field = page.getByLabel('Email', { exact: true });
  const { top } = await edgesOf(bar);
  await expect.poll(async () => (await edgesOf(field)).bottom).toBeGreaterThan(top);
  await field.focus();
  await expect.poll(async () => (await edgesOf(field)).bottom).toBeLessThan(top);
});

test('a wall of faces goes from edge to edge, and takes the reserved space', async () => {
  for (const [width, isMobile] of [
    [390, true],
    [1440, false],
  ] as const) {
    const viewport = { width, height: 844 };
    const { page, open } = await browser.visit({ viewport, isMobile, hasRunningClock: true });
    await answerCall(page, 'faces', { json: { faces: ['f0000000000', '00000000800'] } });
    await open(pagePaths.landing);
    const wall = page.locator('.landing .faces');
    const before = await wall.boundingBox();
    await wall.scrollIntoViewIfNeeded();
    const faces = page.getByRole('img', { name: brand.copy.facesAlt }).locator('img');
    await expect.poll(() => faces.count()).toBe(isMobile ? 30 : 48);
    const widths = () =>
      faces.evaluateAll((images) =>
        images.map((image) => (image as HTMLImageElement).naturalWidth > 0),
      );
    await expect.poll(widths).not.toContain(false);
    await expect.poll(async () => (await wall.boundingBox())?.height).toBe(before?.height);
    const overhang = () =>
      wall.evaluate((element) => {
        const { left, right } = element.getBoundingClientRect();
        // The body ends before the space of the scroll bar.
        const body = document.body.getBoundingClientRect();
        const { clientWidth, scrollWidth } = document.documentElement;
        return [left <= body.left, right >= body.right, scrollWidth <= clientWidth];
      });
    await expect.poll(overhang).toEqual([true, true, true]);
  }
});

test.each([390, 320])('the headline fills a window of %i px, on two lines', async (width) => {
  const { page, open } = await browser.visit({ viewport: { width, height: 740 }, isMobile: true });
  await open(pagePaths.landing);
  await page.evaluate(() => document.fonts.ready);
  const headline = page.getByRole('heading', { level: 1 });
  const readShare = () =>
    headline.locator('span').evaluate((line) => {
      const words = document.createRange();
      words.selectNodeContents(line);
      const width = line.closest('main')?.clientWidth ?? 0;
      return words.getBoundingClientRect().width / width;
    });
  await expect.poll(readShare).toBeGreaterThan(0.96);
  await expect.poll(readShare).toBeLessThanOrEqual(1);
});
