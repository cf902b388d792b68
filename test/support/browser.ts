/**
 * One browser per worker, one fresh visitor per test. A test fails on noise that it did not expect.
 */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/chromium.ts';
import { reportBareTexts } from './bare-texts.ts';
import { answerCall, NO_STREAM } from './browser-api.ts';
import { watchNoise } from './browser-noise.ts';
import { noteStates } from './passing-states.ts';
import { pauseCalls } from './paused-calls.ts';

const FLAGS = [
  ...CHROMIUM_FLAGS,
  '--disable-component-update',
  '--disable-sync',
  // A page that leaves about:blank starts no second process.
  '--renderer-process-limit=1',
  // Pages of thousands of dots are painted in few tiles.
  '--default-tile-width=4096',
  '--default-tile-height=1024',
  '--num-raster-threads=1',
];

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/** The time at which a visitor's clock is stopped. */
const NOON = new Date('2030-01-01T12:00:00Z');

type VisitorOptions = BrowserContextOptions & {
  /**
   * Lets the page's clock run, and has the page note what passes (passing-states.ts). Otherwise
   * only `page.clock.runFor` moves the clock: no timer is a race.
   */
  readonly hasRunningClock?: boolean;
};

export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Goes to a path of the site and waits until the page is live. */
  open(path: string): Promise<void>;
  /** Waits until the document is live that a link, a reload or the history has led to. */
  becomeLive(): Promise<void>;
  /** Names noise that this test provokes; the test fails when there is none. */
  expectNoise(pattern: RegExp): void;
  /** Names noise that this test may cause. */
  allowNoise(pattern: RegExp): void;
};

export type TestBrowser = { visit(options?: VisitorOptions): Promise<Visitor> };

/** Shared by the test files of a worker. Playwright closes it when the process ends. */
let shared: Promise<Browser> | undefined;

function launch(moreFlags: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? '',
    args: [...FLAGS, ...moreFlags],
  });
}

/**
 * Call once at the top of a test file; one that needs flags gets a browser of its own.
 * Visitors see no motion unless they ask for it, so that nothing depends on a fade.
 */
export function openTestBrowser(moreFlags: readonly string[] = []): TestBrowser {
  let browser: Browser;
  let visits: { context: BrowserContext; checkNoise: () => void }[] = [];

  beforeAll(async () => {
    if (moreFlags.length > 0) browser = await launch(moreFlags);
    else {
      shared ??= launch([]);
      browser = await shared;
    }
  });
  afterAll(async () => {
    if (moreFlags.length > 0) await browser.close();
  });
  afterEach(async () => {
    const ended = visits;
    visits = [];
    await Promise.all(ended.map(({ context }) => context.close()));
    for (const { checkNoise } of ended) checkNoise();
  });

  return {
    async visit({ hasRunningClock = false, ...options } = {}) {
      const baseURL = options.baseURL ?? inject('siteUrl');
      const context = await browser.newContext({
        baseURL,
        viewport: PHONE,
        reducedMotion: 'reduce',
        ...options,
      });
      context.setDefaultTimeout(30_000);
      if (!hasRunningClock) {
        await context.clock.install({ time: NOON });
        await context.clock.pauseAt(NOON.getTime() + 1);
      }
      const noise = watchNoise(context, baseURL);
      visits.push({ context, checkNoise: () => expect(noise.unexpected()).toEqual([]) });
      const page = await context.newPage();
      reportBareTexts(page);
      // Sent before whatever the test does next. A page that is left again notes nothing.
      if (hasRunningClock)
        page.on('domcontentloaded', () => void noteStates(page).catch(() => undefined));
      await pauseCalls(page, new URL(baseURL).origin);
      // There is a stream only where a test has a server. Without one, browsers do not ask again.
      const isShared = [inject('siteUrl'), inject('strictSiteUrl')].includes(baseURL);
      if (isShared) await answerCall(page, 'live', NO_STREAM);
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

/** Waits until React has hydrated the page. */
export async function waitUntilLive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const main = document.querySelector('main');
    return main !== null && Object.keys(main).some((key) => key.startsWith('__reactFiber'));
  });
}
