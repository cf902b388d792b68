/** Every screen of the console shows what the server has, and is accessible. */
import { beforeAll, expect, test } from 'vitest';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { contentOf, SCREENS } from '../support/console-screens.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { follow } from '../support/console-visit.ts';
import { isAll } from '../support/test-form.ts';

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

test.runIf(isAll)('no figure stands alone in the last row, on a phone and on a desk', async () => {
  const { page } = await server.visit();
  await page.goto('/console/nothing');
  const rows = page.locator('.stat-row');
  for (const [path, figures] of [
    ['/offers', 9],
    ['/money', 4],
    ['/stock', 4],
  ] as const)
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      await follow(page, path);
      await expect.poll(() => rows.locator('.stat').count()).toBe(figures);
      const tops = await rows
        .locator('.stat')
        .evaluateAll((stats) => stats.map((stat) => stat.getBoundingClientRect().top));
      const last = tops.filter((top) => top === Math.max(...tops));
      expect(last.length, `${path} at ${viewport.width}`).toBeGreaterThan(1);
    }
});
