/** Every screen while the network is slow, the API fails, and nobody is signed in any more. */
import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { EndpointWithSecret } from '../../../contract/operator/webhooks/webhooks.ts';
import type { Member } from '../../../contract/schemas.ts';
import { expectAccessibleConsole } from '../../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../../support/browser.ts';
import { openConsoleServer } from '../../support/console-server.ts';

const browser = openTestBrowser();
const server = openConsoleServer(browser);
let ada: Member;
let campaign: Campaign;
let endpoint: EndpointWithSecret;

beforeAll(async () => {
  ({ ada, campaign, endpoint } = await server.fill());
});

/** `sees`: what the API has to say for this screen. */
const SCREENS: readonly {
  readonly name: string;
  readonly path: () => string;
  readonly sees: string;
  /** Is not asked again when somebody comes back to the window. */
  readonly isKept?: boolean;
}[] = [
  { name: 'overview', path: () => '/overview', sees: 'Members now' },
  { name: 'members', path: () => '/members', sees: 'grace@example.com', isKept: true },
  { name: 'a member', path: () => `/members?open=${ada.id}`, sees: 'Their page' },
  { name: 'credits', path: () => '/credits', sees: 'Nothing waits.' },
  {
    name: 'the credits of a code',
    path: () => `/credits?open=${ada.id}`,
    sees: 'Nothing of this code waits any more.',
  },
  { name: 'stock', path: () => '/stock', sees: 'the shoot' },
  { name: 'the drop', path: () => '/drop', sees: 'Before the freeze' },
  { name: 'offers', path: () => '/offers', sees: 'No offers yet' },
  { name: 'rewards', path: () => '/rewards', sees: 'gets there' },
  { name: 'activity', path: () => '/activity', sees: 'was allocated' },
  { name: 'campaigns', path: () => '/campaigns', sees: 'Soon' },
  { name: 'a campaign', path: () => `/campaigns?open=${campaign.campaign}`, sees: 'Send test' },
  { name: 'webhooks', path: () => '/webhooks', sees: 'hooks.invalid' },
  { name: 'a webhook', path: () => `/webhooks?open=${endpoint.id}`, sees: 'Send a test event' },
  { name: 'settings', path: () => '/settings', sees: 'No API keys' },
];

/** Every call but the one that asks who has signed in. */
const intercept = (page: Page, answer: (route: Route) => Promise<void>) =>
  page.route('**/operator/api/**', (route) =>
    new URL(route.request().url()).pathname === operatorPaths.me ? route.fallback() : answer(route),
  );

const FAULTS = [
  {
    name: 'a 500 without a body',
    answer: (route: Route) => route.fulfill({ status: 500, body: '' }),
    says: 'The server answered 500.',
  },
  {
    name: 'a 500 with a sentence',
    answer: (route: Route) => route.fulfill({ status: 500, json: { detail: 'A disk is full.' } }),
    says: 'A disk is full.',
  },
  {
    name: 'a 503 that says when to come again',
    answer: (route: Route) =>
      route.fulfill({
        status: 503,
        headers: { 'retry-after': '1' },
        json: { detail: 'The line is being restored.' },
      }),
    says: 'The line is being restored.',
  },
  {
    name: 'no network',
    answer: (route: Route) => route.abort('internetdisconnected'),
    says: 'The server cannot be reached. Check your connection.',
  },
] as const;

const isFull = process.env.FAULTS === 'full';
/** The short form takes the screen with the most parts, and a sheet. */
const looked = SCREENS.filter(({ name }) => isFull || ['overview', 'a webhook'].includes(name));

describe.each(looked)('$name', ({ path, sees, isKept = false }) => {
  const content = (page: Page) => page.locator(':is(main, .sheet)').getByText(sees).first();
  const isBusy = (page: Page) =>
    expect.poll(() => page.locator('[aria-busy=true], .skeleton').count());

  async function visit(viewport: typeof PHONE): Promise<Page> {
    const { page, allowNoise } = await server.visit({ viewport });
    allowNoise(/401|500|503|ERR_INTERNET_DISCONNECTED|Blocked script execution/);
    return page;
  }

  test('shows skeletons while the network is slow, and then the content', async () => {
    const page = await visit(PHONE);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await intercept(page, async (route) => {
      await held;
      await route.fallback();
    });
    await page.goto(`/console${path()}`);
    await isBusy(page).toBeGreaterThan(0);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectAccessibleConsole(page);
    release();
    await content(page).waitFor();
    await isBusy(page).toBe(0);
  });

  test.each(FAULTS)('says so with a way to retry: $name', async ({ answer, says }) => {
    const page = await visit(PHONE);
    let isBroken = true;
    await intercept(page, (route) => (isBroken ? answer(route) : route.fallback()));
    await page.goto(`/console${path()}`);
    await page.getByText(says).first().waitFor();
    await isBusy(page).toBe(0);
    if (says === FAULTS[0].says) await expectAccessibleConsole(page);
    isBroken = false;
    // What is behind a sheet can neither be seen nor pressed.
    const sheet = page.locator('.sheet');
    const layer = (await sheet.count()) > 0 ? sheet : page;
    const retry = layer.getByRole('button', { name: 'Retry' });
    for (let left = await retry.count(); left > 0; left = await retry.count()) {
      await retry.last().click();
      await expect.poll(() => retry.count()).toBeLessThan(left);
    }
    await content(page).waitFor();
  });

  test.skipIf(isKept)('keeps what was loaded in view, and says that it is old', async () => {
    const page = await visit(DESKTOP);
    await page.goto(`/console${path()}`);
    await content(page).waitFor();
    await intercept(page, (route) => route.fulfill({ status: 500, body: '' }));
    await page.clock.install();
    await page.clock.fastForward('01:00');
    await page.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    );
    await page.getByText('Not up to date: The server answered 500.').first().waitFor();
    expect(await content(page).isVisible()).toBe(true);
    await expectAccessibleConsole(page);
  });

  test('asks for a sign-in when the session has ended, at the same place', async () => {
    const page = await visit(PHONE);
    await page.goto(`/console${path()}`);
    await content(page).waitFor();
    const place = page.url();
    let isSignedIn = false;
    await page.route('**/operator/api/**', (route) =>
      isSignedIn
        ? route.fallback()
        : route.fulfill({ status: 401, json: { detail: 'Your session has ended.' } }),
    );
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    isSignedIn = true;
    await page.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    );
    await content(page).waitFor();
    expect(page.url()).toBe(place);
  });
});
