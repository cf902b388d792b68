/** docs/behaviour.md 2: a teaser video with a poster image, in the markup of the page. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fillPath, PLAIN_QUERY, pagePaths } from '../../contract/paths.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { answerStatus, MEMBER } from '../support/browser-api.ts';
import { joinLine } from '../support/browser-line.ts';

const browser = openTestBrowser();

const path = fillPath(pagePaths.status, MEMBER.id);

/** Wide before tall, AV1 before H.264. */
const EVERY_FILM = [
  ['teaser-wide', 'video/mp4; codecs="av01.0.05M.08"', '(min-width: 40.01rem)'],
  ['teaser-wide', 'video/mp4', '(min-width: 40.01rem)'],
  ['teaser-tall', 'video/mp4; codecs="av01.0.05M.08"', ''],
  ['teaser-tall', 'video/mp4', ''],
];

const readFilms = (page: Page) =>
  page
    .locator('video[preload="none"] source')
    .evaluateAll((sources: HTMLSourceElement[]) =>
      sources.map(({ src, type, media }) => [/teaser-[a-z]+/.exec(src)?.[0], type, media]),
    );

function watchFilms(page: Page): string[] {
  const films: string[] = [];
  page.on('request', (request) => /\.mp4/.test(request.url()) && films.push(request.url()));
  return films;
}

test('the teaser has a poster and every film, and fetches none before it is played', async () => {
  const { page, open } = await browser.visit();
  await answerStatus(page);
  const films = watchFilms(page);
  await open(path);
  await page.locator('video').scrollIntoViewIfNeeded();
  await page.locator('video[poster]:not([controls])').waitFor();
  await expect.poll(() => readFilms(page)).toEqual(EVERY_FILM);
  await expect.poll(() => films).toEqual([]);
  await page.getByRole('button', { name: /^Play/ }).click();
  await page.locator('video[controls]:focus').waitFor();
  await expect.poll(() => films).toContainEqual(expect.stringContaining('/teaser-tall'));
});

test.each([
  ['a phone', PHONE, 1.25],
  ['a desktop', DESKTOP, 0.5625],
])('the landing page on %s has the film in a space kept for it', async (_, viewport, shape) => {
  const { page, open } = await browser.visit({ viewport });
  const films = watchFilms(page);
  await open(pagePaths.landing);
  const slot = page.locator('.see-it-slot');
  const heightOf = (place: Locator) =>
    place.evaluate((element: HTMLElement) => element.offsetHeight);
  const reserved = await heightOf(slot);
  await page.clock.runFor(3000);
  const video = slot.locator('video');
  await expect.poll(() => readFilms(page)).toEqual(EVERY_FILM);
  await expect.poll(() => heightOf(slot)).toBe(reserved);
  await expect
    .poll(() => video.evaluate((film: HTMLElement) => film.offsetHeight / film.offsetWidth))
    .toBeCloseTo(shape, 2);
  await slot.locator('.teaser img[loading="lazy"]').waitFor();
  await video.scrollIntoViewIfNeeded();
  await slot.locator('video[poster]:not([controls])').waitFor();
  await expect.poll(() => films).toEqual([]);
  await page.getByRole('button', { name: /^Play: / }).click();
  await slot.locator('video[controls]:focus').waitFor();
  await expect.poll(() => films.length).toBeGreaterThan(0);
});

test('where no film can be played, a sentence says so and the poster stays', async () => {
  const { page, open, expectNoise } = await browser.visit();
  expectNoise(/404/);
  await answerStatus(page);
  await page.route('**/teaser-*.mp4', (route) => route.fulfill({ status: 404 }));
  await open(path);
  await page.getByRole('button', { name: /^Play/ }).click();
  await page.getByText('The film cannot be played here.').waitFor();
  await page.locator('.teaser img').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Play/ }).count()).toBe(0);
});

test('without script the film has the controls of the browser, and is not fetched', async () => {
  const { page, allowNoise } = await browser.visit({
    javaScriptEnabled: false,
    hasRunningClock: true,
  });
  allowNoise(/^failed: .*\.js csp$/);
  const films = watchFilms(page);
  await page.goto(`${fillPath(pagePaths.status, (await joinLine()).id)}?${PLAIN_QUERY}`);
  await page.locator('video[controls][poster]').scrollIntoViewIfNeeded();
  await expect
    .poll(() => readFilms(page))
    .toEqual(EVERY_FILM.slice(0, 2).map(([film, type]) => [film, type, '']));
  await expect.poll(() => films).toEqual([]);
});
