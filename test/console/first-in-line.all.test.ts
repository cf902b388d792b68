/** The first in line are looked at, in one pass by keys. */
import { expect } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { FirstInLine } from '../../contract/operator/first-in-line.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { openDatabase } from '../../server/db/open.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { pressInTurn } from '../support/console-visit.ts';
import { fillGroups } from '../support/grouped-line.ts';
import { tellStory } from '../support/tell-story.ts';

const browser = openTestBrowser();
const site = openConsoleServer(browser, {}, async (place) => {
  const database = await openDatabase({ ...place, log: () => {} });
  await prepareSizes(database, brand);
  await fillGroups(database);
  await database.close();
});

const read = () => site.call<FirstInLine>(operatorPaths.firstInLine);

const step = tellStory('the first in line are looked at, and decided about');

step('every row is described, on a phone and on a desk', async () => {
  const { page } = await site.visit({ viewport: PHONE });
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    await page.goto('/console/drop');
    await page.getByRole('link', { name: 'Look at the first' }).first().click();
    const row = page.getByRole('row', { name: /#\d+ evening@gmail\.com/ });
    await row.getByText('30 friends, 30 confirmed, 27 count').waitFor();
    await row
      .getByText(/^30 friends at mine\.example, all confirmed, one network, \d+ minutes$/)
      .waitFor();
    const edges = () =>
      row.locator('p').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    await expect.poll(async () => new Set(await edges()).size).toBe(1);
    await expectAccessibleConsole(page);
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await expect.poll(overflow).toBeLessThanOrEqual(0);
  }
});

step('one pass by keys: look, refuse, and go on where it was interrupted', async () => {
  const { page } = await site.visit({ viewport: DESKTOP });
  await page.goto('/console/overview');
  await page.getByRole('link', { name: 'Look at the first' }).waitFor();
  await pressInTurn(page, 'g', 'l');
  const { members } = await read();
  const first = members[0]?.member.email ?? '';
  const sheetOf = (email: string) => page.getByRole('dialog', { name: email, exact: true });
  await page.getByRole('row', { name: first }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await sheetOf(first)
    .getByText(/^\d+ friends at /)
    .first()
    .waitFor();
  await expectAccessibleConsole(page);

  // Their friends share one domain, so that one refusal reaches all of them.
  const evening = members.find(({ member }) => member.email === 'evening@gmail.com');
  const refused = sheetOf('evening@gmail.com');
  await page.goto(`/console/first?open=${evening?.member.id}`);
  const dialog = page.locator('dialog[open]');
  await refused
    .getByRole('button', { name: /^Refuse the friends of .* at mine\.example$/ })
    .click();
  await dialog.getByText('30 friends are refused.').waitFor();
  await dialog.getByText('They keep their own places in line.').waitFor();
  await dialog.getByLabel('Then look at removing them from the line').check();
  await dialog.getByLabel('Reason').fill('one evening');
  await page.keyboard.press('Control+Enter');
  await dialog.getByText(/^30 members leave/).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
  await refused.getByText('No longer among the first; below is how it was').waitFor();

  await page.goto('/console/first');
  await page.getByRole('row', { name: first }).click();
  await sheetOf(first).waitFor();
  await page.keyboard.press('l');
  await expect.poll(() => sheetOf(first).count()).toBe(0);
  await expect.poll(async () => (await read()).looked).toBe(1);
  const gym = page.getByRole('button', { name: 'Actions for gym@gmail.com' });
  await gym.click();
  await page.getByRole('menuitem', { name: 'Mark as looked at' }).click();
  await expect.poll(async () => (await read()).looked).toBe(2);
  await gym.click();
  await page.getByRole('menuitem', { name: 'Mark as not looked at' }).click();
  await expect.poll(async () => (await read()).looked).toBe(1);
  await page.goto('/console/first?new=yes');
  await page.getByText(/^1 of \d+ looked at$/).waitFor();
  await expect.poll(() => page.getByRole('row', { name: first }).count()).toBe(0);
});
