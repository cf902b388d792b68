/** The teaser by keyboard, in every engine, because each gives its player other stops. */
import { beforeAll, expect, inject } from 'vitest';
import { fillPath, pagePaths } from '../../../contract/paths.ts';
import { joinLine } from '../../support/browser-line.ts';
import { type EnginePage, waitForText, waitInPage } from '../../support/engines/engine-page.ts';
import { testInEngines } from '../../support/engines/launch-engine.ts';

let path: string;

beforeAll(async () => {
  path = fillPath(pagePaths.status, (await joinLine()).id);
});

const focused = (page: EnginePage) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.closest('.teaser') ? element.tagName : 'outside';
  });

testInEngines(
  'one stop plays the film of the screen, which then has focus and ring, or a sentence says no',
  async (page) => {
    await page.resize({ width: 390, height: 844 });
    await page.open(inject('siteUrl') + path);
    await waitInPage(page, () => document.querySelector('.teaser img') !== null);
    // WebKitGTK plays films by optional packages.
    const canPlay = await page.evaluate(
      () => document.createElement('video').canPlayType('video/mp4') !== '',
    );
    if (!canPlay) {
      await waitForText(page, 'The film cannot be played here.');
      await waitInPage(page, () => document.querySelector('.teaser-play') === null);
      expect(page.name).toBe('WebKit');
      return;
    }
    await waitInPage(page, () => document.querySelector('.teaser-play') !== null);
    await page.evaluate(() => {
      const all = [...document.querySelectorAll<HTMLElement>('a[href], button, input')];
      const play = all.findIndex((element) => element.matches('.teaser-play'));
      all[play - 1]?.focus();
    });
    const stops: string[] = [];
    for (let presses = 0; presses < 2; presses += 1) {
      await page.pressTab();
      stops.push(await focused(page));
    }
    expect(stops).toEqual(['BUTTON', 'outside']);
    await page.click('.teaser-play');
    await waitInPage(page, () => document.activeElement?.tagName === 'VIDEO');
    const readFilm = () =>
      page.evaluate(() => {
        const player = document.querySelector('video');
        const { outlineOffset } = getComputedStyle(player ?? document.body);
        return { src: player?.currentSrc, outlineOffset, controls: player?.controls };
      });
    await expect.poll(readFilm).toEqual({
      src: expect.stringContaining('teaser-tall'),
      outlineOffset: '-2px',
      controls: true,
    });
  },
);
