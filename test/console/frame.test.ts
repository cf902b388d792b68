/** What holds for all screens: signing in, unknown paths, what the console loads. */
import { expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser } from '../support/browser.ts';
import { visitConsole } from '../support/console-visit.ts';

const browser = openTestBrowser();

test('no server, then no session: Retry starts it, and a sign-in keeps the place', async () => {
  const { page, expectNoise } = await visitConsole(browser);
  let isAway = true;
  await page.route(`**${operatorPaths.me}`, (route) =>
    isAway
      ? route.abort('connectionrefused')
      : route.fulfill({ status: 401, json: { detail: 'Please sign in.' } }),
  );
  expectNoise(/ERR_CONNECTION_REFUSED/);
  expectNoise(/401/);
  await page.goto('/console/stock?q=press');
  await page.getByText('The server cannot be reached.').waitFor();
  await expectAccessibleConsole(page);
  isAway = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('?q=press');
  await expectAccessibleConsole(page);
});

test('a line that may be a copy says so on every screen, with what an owner can do', async () => {
  const { page, expectNoise } = await visitConsole(browser, { viewport: DESKTOP });
  const words = 'This line was restored from a backup, so it may be a copy.';
  await page.route(`**${operatorPaths.me}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), may_be_copy: words } });
  });
  for (const path of ['/console/members', '/console/stock']) {
    await page.goto(path);
    await page.getByText(words).waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
  await expectAccessibleConsole(page);
  expectNoise(/409/);
  await page.getByRole('button', { name: 'This is the line' }).click();
  await page.getByText('This is the line already: nothing waits for you to say so.').waitFor();
  await expectAccessibleConsole(page);
});
