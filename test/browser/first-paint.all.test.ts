import { expect, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { openTestBrowser, waitUntilLive } from '../support/browser.ts';
import { joinLine } from '../support/browser-line.ts';

const browser = openTestBrowser();

test.each(['landing', 'invite', 'status'] as const)(
  'the %s page fetches only fonts, print styles and API calls before its first paint',
  async (name) => {
    const member = await joinLine();
    const paths = {
      landing: pagePaths.landing,
      invite: fillPath(pagePaths.invite, member.referral_code),
      status: fillPath(pagePaths.status, member.id),
    };
    const { page } = await browser.visit({ hasRunningClock: true });
    await page.goto(paths[name]);
    await waitUntilLive(page);
    const readFetched = () =>
      page.evaluate(() => {
        const [paint] = performance.getEntriesByName('first-contentful-paint');
        const fetched = performance.getEntriesByType('resource');
        const isEarly = ({ startTime }: PerformanceEntry) => startTime < (paint?.startTime ?? 0);
        const names = (entries: PerformanceEntry[]) => entries.map((entry) => entry.name);
        return {
          isPainted: paint !== undefined,
          // No paint waits for the style sheet of print.
          early: names(fetched.filter(isEarly)).filter(
            (url) => !/\.woff2$|\/api\/|\/print-[^/]+\.css$/.test(url),
          ),
          late: names(fetched.filter((entry) => !isEarly(entry))),
        };
      });
    await expect.poll(readFetched).toEqual({
      isPainted: true,
      early: [],
      late: expect.arrayContaining([expect.stringMatching(/\.js$/)]),
    });
  },
);

test('a background tab, which is never painted, is hydrated too', async () => {
  const { page } = await browser.visit({ hasRunningClock: true });
  await page.addInitScript(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    window.PerformanceObserver = class {
      observe() {}
    } as unknown as typeof PerformanceObserver;
  });
  await page.goto(pagePaths.landing);
  await waitUntilLive(page);
});
