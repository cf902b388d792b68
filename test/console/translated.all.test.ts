/** The console lives on while the browser translates it, through all screens and back. */
import { expect, test } from 'vitest';
import { translatePages } from '../support/bare-texts.ts';
import { openTestBrowser } from '../support/browser.ts';
import { contentOf, SCREENS } from '../support/console-screens.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { follow } from '../support/console-visit.ts';

const browser = openTestBrowser();
const server = openConsoleServer(browser);

test('every screen, translated', async () => {
  const filled = await server.fill();
  const { page, context, allowNoise } = await server.visit();
  // The preview of a mail runs no script, neither that of the translation.
  allowNoise(/sandboxed/);
  await translatePages(context);
  await page.goto('/console/overview');
  for (const screen of [...SCREENS, ...SCREENS.toReversed()]) {
    await follow(page, screen.path(filled));
    await contentOf(page, screen).waitFor();
  }
  await expect.poll(() => page.locator('font').count()).toBeGreaterThan(10);
  await expect.poll(() => page.getByText('This screen does not work').count()).toBe(0);
});
