/** Messages of the console, such as that with Undo, lie over nothing that is pressed. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { contentOf, SCREENS } from '../support/console-screens.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { follow } from '../support/console-visit.ts';
import { holdToasts } from '../support/passing-states.ts';

const browser = openTestBrowser();
const server = openConsoleServer(browser);
let filled: Awaited<ReturnType<typeof server.fill>>;

beforeAll(async () => {
  filled = await server.fill();
});

/** Controls that something fixed lies over, wherever the page is scrolled as little as possible. */
const findCovered = (page: Page) =>
  page.evaluate(() => {
    const scope = document.querySelector('.sheet') ?? document.querySelector('main');
    const controls = scope?.querySelectorAll('button, a, input, select, textarea, summary') ?? [];
    return [...controls].flatMap((control) => {
      control.scrollIntoView({ block: 'nearest' });
      const { left, top, width, height } = control.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      const cover = hit?.closest('.toast, .frame-nav, .selection-bar');
      if (width === 0 || !cover || cover.contains(control)) return [];
      const name = control.getAttribute('aria-label') ?? control.textContent;
      return [`${cover.className} over ${control.localName} ${name}`];
    });
  });

test.each([
  ['phone', PHONE],
  ['desk', DESKTOP],
])('a message with Undo covers no control of any screen, on a %s', async (_name, viewport) => {
  const { page } = await server.visit({ viewport });
  await page.goto('/console/stock');
  await page.getByRole('button', { name: 'Allocate', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('For whom').fill('the window of the shop');
  await dialog.getByLabel('Reason').fill('a test');
  await holdToasts(page);
  await dialog.getByRole('button', { name: 'Allocate', exact: true }).click();
  const undo = page.locator('.toast').getByRole('button', { name: 'Undo' });
  await undo.waitFor();

  for (const screen of SCREENS) {
    await follow(page, screen.path(filled));
    await contentOf(page, screen).waitFor();
    await expect.poll(() => page.locator('[aria-busy=true], .skeleton').count()).toBe(0);
    await expect.poll(() => findCovered(page), { message: screen.name }).toEqual([]);
  }
  await expect.poll(() => undo.count()).toBe(1);

  await follow(page, '/members');
  await page.getByRole('row', { name: /grace/ }).getByRole('checkbox').press('Space');
  const remove = page.locator('.selection-bar').getByRole('button', { name: 'Remove' });
  await remove.click({ trial: true });
  await expect.poll(() => undo.count()).toBe(1);
});
