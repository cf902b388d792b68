/** Every screen of the console shows what the server has, and is accessible. */
import { beforeAll, expect, test } from 'vitest';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { openTestBrowser } from '../support/browser.ts';
import { contentOf, SCREENS } from '../support/console-screens.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { follow } from '../support/console-visit.ts';

/** Screens that ask for nothing. */
const MORE = [
  { name: 'import', path: () => '/import', sees: 'Import' },
  { name: 'the door', path: () => '/door', sees: 'passes used' },
];

const browser = openTestBrowser();
const server = openConsoleServer(browser);
let filled: Awaited<ReturnType<typeof server.fill>>;

beforeAll(async () => {
  filled = await server.fill();
});

test('every screen has its content and is accessible', async () => {
  const { page } = await server.visit();
  await page.goto('/console/nothing');
  await page.getByText('The console has no such screen').waitFor();
  for (const screen of [...SCREENS, ...MORE]) {
    await follow(page, screen.path(filled));
    await contentOf(page, screen).waitFor();
    await expect
      .poll(() => page.locator('[aria-busy=true], .skeleton').count(), { message: screen.name })
      .toBe(0);
    await expectAccessibleConsole(page);
  }
});
