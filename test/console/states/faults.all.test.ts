/** Every screen while the network is slow, the API fails, and nobody is signed in any more. */
import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { expectAccessibleConsole } from '../../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../../support/browser.ts';
import { contentOf, SCREENS, type Screen } from '../../support/console-screens.ts';
import { openConsoleServer } from '../../support/console-server.ts';
import { follow } from '../../support/console-visit.ts';
import { STRICT_SITE } from '../../support/server-process.ts';

const browser = openTestBrowser();
const server = openConsoleServer(browser, { SITE_DIR: STRICT_SITE });
let filled: Awaited<ReturnType<typeof server.fill>>;

beforeAll(async () => {
  filled = await server.fill();
});

type Answer = (route: Route) => Promise<void>;

const whole: Answer = (route) => route.fallback();
const signedOut: Answer = (route) =>
  route.fulfill({ status: 401, json: { detail: 'Your session has ended.' } });
const withoutBody: Answer = (route) => route.fulfill({ status: 500, body: '' });

const FAULTS: readonly { readonly answer: Answer; readonly says: string }[] = [
  {
    answer: withoutBody,
    says: 'The server answered 500.',
  },
  {
    answer: (route) => route.fulfill({ status: 500, json: { detail: 'A disk is full.' } }),
    says: 'A disk is full.',
  },
  {
    answer: (route) =>
      route.fulfill({
        status: 503,
        headers: { 'retry-after': '1' },
        json: { detail: 'The line is being restored.' },
      }),
    says: 'The line is being restored.',
  },
  {
    answer: (route) => route.abort('internetdisconnected'),
    says: 'The server cannot be reached. Check your connection.',
  },
];

type Walk = {
  readonly page: Page;
  /** From now on calls are answered so. */
  answer(by: Answer): void;
};

/** A console whose API answers as the test wants, but for who has signed in. */
async function begin(): Promise<Walk> {
  const { page, allowNoise } = await server.visit({ viewport: PHONE });
  allowNoise(/401|500|503|ERR_INTERNET_DISCONNECTED|Blocked script execution/);
  await page.clock.install();
  let answer = whole;
  await page.route('**/operator/api/**', (route) => {
    const isOfSession = new URL(route.request().url()).pathname === operatorPaths.me;
    return isOfSession && answer !== signedOut ? route.fallback() : answer(route);
  });
  await page.goto('/console/nothing');
  await page.getByText('The console has no such screen').waitFor();
  return {
    page,
    answer(by) {
      answer = by;
    },
  };
}

/** One page goes to all screens; an error tells on which. */
async function onEach(
  screens: readonly Screen[],
  visit: (screen: Screen) => Promise<void>,
): Promise<void> {
  for (const screen of screens) {
    try {
      await visit(screen);
    } catch (cause) {
      throw new Error(`${screen.name}: ${cause instanceof Error ? cause.message : cause}`, {
        cause,
      });
    }
  }
}

const isBusy = (page: Page) =>
  expect.poll(() => page.locator('[aria-busy=true], .skeleton').count());

/** Until a failure is shown, the page's clock hurries: calls are tried three times. */
async function untilShown(page: Page, says: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(2_000);
        return await page.getByText(says).count();
      },
      { message: says, interval: 100 },
    )
    .toBeGreaterThan(0);
}

/** What is behind a sheet can neither be seen nor pressed. */
const retriesOf = (page: Page) =>
  page.locator('button:not([inert] *)').filter({ hasText: /^Retry$/ });

/** After a minute, when what was loaded is no longer fresh. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.fastForward('01:00');
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
}

/** Comes back again where a call that was under way has taken the place of a new one. */
async function comeBackUntil(page: Page, isOld: boolean): Promise<void> {
  await expect
    .poll(
      async () => {
        const reached = (await page.getByText('Not up to date').count()) > 0 === isOld;
        if (!reached) await comeBack(page);
        return reached;
      },
      { message: isOld ? 'becomes old' : 'becomes new', interval: 100 },
    )
    .toBe(true);
}

/** Waits with skeletons, says what failed, and recovers by Retry. */
async function fail({ page, answer }: Walk, screen: Screen): Promise<void> {
  const held = Promise.withResolvers<void>();
  const [first, ...others] = FAULTS;
  answer(async (route) => {
    await held.promise;
    await first?.answer(route);
  });
  await page.setViewportSize(PHONE);
  await follow(page, screen.path(filled));
  await isBusy(page).toBeGreaterThan(0);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expectAccessibleConsole(page);
  held.resolve();
  await untilShown(page, first?.says ?? '');
  await isBusy(page).toBe(0);
  await expectAccessibleConsole(page);
  for (const { answer: by, says } of others) {
    answer(by);
    await retriesOf(page).evaluateAll((all) => {
      for (const one of all) one.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    });
    await untilShown(page, says);
    await isBusy(page).toBe(0);
  }
  answer(whole);
  for (let left = await retriesOf(page).count(); left > 0; ) {
    // One that recovers by itself meanwhile cannot be clicked any more.
    await retriesOf(page).evaluateAll((all) => (all.at(-1) as HTMLElement | undefined)?.click());
    await expect.poll(() => retriesOf(page).count()).toBeLessThan(left);
    left = await retriesOf(page).count();
  }
  await contentOf(page, screen).waitFor();
  await isBusy(page).toBe(0);
}

/** Keeps what was loaded in view, and says that it is old. */
async function becomeOld({ page, answer }: Walk, screen: Screen): Promise<void> {
  await page.setViewportSize(DESKTOP);
  await comeBackUntil(page, false);
  answer(withoutBody);
  await comeBackUntil(page, true);
  await untilShown(page, 'Not up to date: The server answered 500.');
  await contentOf(page, screen).waitFor();
  await expectAccessibleConsole(page);
}

/** Asks for a sign-in when the session has ended, and goes on at the same place. */
async function signInAgain({ page, answer }: Walk, screen: Screen): Promise<void> {
  const place = page.url();
  answer(signedOut);
  await comeBack(page);
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  const seen = page.locator(':is(main, .sheet)').getByText(screen.sees);
  await expect.poll(() => seen.filter({ visible: true }).count()).toBe(0);
  answer(whole);
  await comeBack(page);
  await contentOf(page, screen).waitFor();
  await expect.poll(() => page.url()).toBe(place);
}

test('each screen is shown slow, failed, old and signed out, and recovers each time', async () => {
  const walk = await begin();
  await onEach(SCREENS, async (screen) => {
    await fail(walk, screen);
    if (!screen.isKept) await becomeOld(walk, screen);
    await signInAgain(walk, screen);
  });
});
