/** What a page fetches before its first paint, and when it is hydrated. */
import { expect, test } from 'vitest';
import { pagePaths } from '../../contract/paths.ts';
import { openTestBrowser, waitUntilLive } from '../support/browser.ts';
import { joinLine } from '../support/browser-line.ts';

const browser = openTestBrowser();

test.each(['landing', 'invite', 'status'] as const)(
  'the %s page fetches only fonts and API calls before its first paint',
  async (name) => {
    const member = await joinLine();
    const paths = {
      landing: pagePaths.landing(),
      invite: pagePaths.invite(member.referral_code),
      status: pagePaths.status(member.id),
    };
    const { page } = await browser.visit({ hasRunningClock: true });
    await page.goto(paths[name]);
    await waitUntilLive(page);
    const { before, after } = await page.evaluate(() => {
      const paintedAt = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
      const fetched = performance.getEntriesByType('resource');
      return {
        before: fetched.filter(({ startTime }) => startTime < paintedAt).map((entry) => entry.name),
        after: fetched.filter(({ startTime }) => startTime >= paintedAt).map((entry) => entry.name),
      };
    });
    expect(before.filter((url) => !/\.woff2$|\/api\//.test(url))).toEqual([]);
    expect(after.some((url) => url.endsWith('.js'))).toBe(true);
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
  await page.goto(pagePaths.landing());
  await waitUntilLive(page);
});
