/**
 * A slow phone is not kept busy before it is idle: what is not in the first view waits, and no
 * number asks Intl, whose first one takes longest.
 */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { listHydrationScripts, listScripts, type RouteName } from '../budgets/measure-routes.ts';
import { openTestBrowser } from '../support/browser.ts';
import { answerStatus, MEMBER } from '../support/browser-api.ts';
import { joinLine } from '../support/browser-line.ts';

const browser = openTestBrowser();

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const MUSIC = 'web/browser/browser-music.ts';
/** Right below the first view of a member's page. */
const LATE_PARTS = 'web/pages/status/late-parts.tsx';
/** The browser has been idle by then. */
const IDLE_MS = 4000;

const PATHS: Readonly<Record<RouteName, () => Promise<string>>> = {
  landing: async () => pagePaths.landing,
  invite: async () => fillPath(pagePaths.invite, (await joinLine()).referral_code),
  status: async () => fillPath(pagePaths.status, MEMBER.id),
};

test.each(Object.keys(PATHS) as RouteName[])(
  '%s runs few scripts, draws nothing and asks Intl for no number until it is idle',
  async (route) => {
    const { page, open } = await browser.visit();
    await answerStatus(page);
    await page.addInitScript(() => {
      const page = globalThis as typeof globalThis & { drawn: number; formats: number };
      page.drawn = 0;
      page.formats = 0;
      Intl.NumberFormat = new Proxy(Intl.NumberFormat, {
        construct(format, options) {
          page.formats += 1;
          return Reflect.construct(format, options);
        },
      });
      const writeLocal = Number.prototype.toLocaleString;
      Number.prototype.toLocaleString = function (this: number, ...options: []) {
        page.formats += 1;
        return Reflect.apply(writeLocal, this, options);
      };
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (
        this: HTMLCanvasElement,
        ...options: [string]
      ) {
        page.drawn += 1;
        return Reflect.apply(getContext, this, options);
      } as typeof getContext;
    });
    const scripts = new Set<string>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith('.js')) scripts.add(pathname.slice(1));
    });
    await open(await PATHS[route]());
    await page.waitForLoadState('networkidle');
    const hydration = await listHydrationScripts(DIST, route);
    const near = route === 'status' ? [MUSIC, LATE_PARTS] : [MUSIC];
    const early = [...new Set([...hydration, ...(await listScripts(DIST, near))])].sort();
    const drawn = () =>
      page.evaluate(() => (globalThis as typeof globalThis & { drawn: number }).drawn);
    await expect.poll(async () => [...scripts].sort()).toEqual(early);
    await expect.poll(drawn).toBe(0);
    await page.clock.runFor(IDLE_MS);
    await expect.poll(() => scripts.size).toBeGreaterThan(early.length);
    const formats = () =>
      page.evaluate(() => (globalThis as typeof globalThis & { formats: number }).formats);
    if (route === 'status') await page.locator('.dot-number').first().waitFor();
    await expect.poll(formats).toBe(0);
  },
);
