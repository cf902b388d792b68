/** A browser per test file and a fresh visitor per test; a test fails on any noise that it did not ask for. */
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { findChromium } from '../../scripts/chromium.ts';
import { watchNoise } from './browser-noise.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/** Where the frozen clock of a visitor stands at first. */
const NOON = new Date('2030-01-01T12:00:00Z');

type VisitorOptions = BrowserContextOptions & {
  /** Lets the page's clock run. Else it stands still and moves by `page.clock.runFor` alone, so that no timer is a race. */
  readonly hasRunningClock?: boolean;
};

export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Goes to a path of the site and waits until the page is live. */
  open(path: string): Promise<void>;
  /** After a link, a reload or the history has led to another document: waits until that one is live. */
  becomeLive(): Promise<void>;
  /** Names noise that this test provokes; it fails when there is none. */
  expectNoise(pattern: RegExp): void;
  /** Names noise that this test can do without, but cannot prevent. */
  allowNoise(pattern: RegExp): void;
};

export type TestBrowser = { visit(options?: VisitorOptions): Promise<Visitor> };

/** Call once at the top of a test file. Visitors are without motion unless they ask for it: nothing fades, so all is exact. */
export function openTestBrowser(moreFlags: readonly string[] = []): TestBrowser {
  let browser: Browser;
  let visits: { context: BrowserContext; checkNoise: () => void }[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...FLAGS, ...moreFlags] });
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    const ended = visits;
    visits = [];
    await Promise.all(ended.map(({ context }) => context.close()));
    for (const { checkNoise } of ended) checkNoise();
  });

  return {
    async visit({ hasRunningClock = false, ...options } = {}) {
      const baseURL = options.baseURL ?? inject('siteUrl');
      const context = await browser.newContext({ baseURL, viewport: PHONE, reducedMotion: 'reduce', ...options });
      context.setDefaultTimeout(30_000);
      if (!hasRunningClock) {
        await context.clock.install({ time: NOON });
        await context.clock.pauseAt(NOON.getTime() + 1);
      }
      const noise = watchNoise(context, baseURL);
      visits.push({ context, checkNoise: () => expect(noise.unexpected()).toEqual([]) });
      const page = await context.newPage();
      async function becomeLive(): Promise<void> {
        await page.waitForLoadState();
        await waitUntilLive(page);
      }
      return {
        page,
        context,
        becomeLive,
        expectNoise: noise.expect,
        allowNoise: noise.allow,
        async open(path) {
          await page.goto(path);
          await becomeLive();
        },
      };
    },
  };
}

/** Until React has taken over the served page. */
export async function waitUntilLive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const main = document.querySelector('main');
    return main !== null && Object.keys(main).some((key) => key.startsWith('__reactFiber'));
  });
}
