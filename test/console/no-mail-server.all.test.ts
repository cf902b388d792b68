import { beforeAll, test } from 'vitest';
import { openTestBrowser } from '../support/browser.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { follow } from '../support/console-visit.ts';

const browser = openTestBrowser();
const server = openConsoleServer(browser);
let filled: Awaited<ReturnType<typeof server.fill>>;

beforeAll(async () => {
  filled = await server.fill();
});

test('without a mail server a red line stands wherever somebody counts on mail', async () => {
  const { page, allowNoise } = await server.visit();
  // A busy machine may draw the picture of the mail too late, and refuses it.
  allowNoise(/NotSameOrigin/);
  const warning = (place: string) =>
    page
      .locator(place)
      .getByText(/^No mail server is set: .* nobody gets them/)
      .first();
  const dialog = page.locator('dialog[open]');
  await page.goto('/console/');
  await warning('main').waitFor();
  await follow(page, `/campaigns?open=${filled.campaign.campaign}`);
  await warning('main').waitFor();
  await page.getByRole('button', { name: 'Send to the line' }).click();
  await warning('dialog[open]').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await follow(page, '/settings');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await warning('dialog[open]').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await follow(page, '/drop');
  await page.getByRole('button', { name: 'Plan a step' }).click();
  await page.getByRole('menuitem', { name: 'Start the offers' }).click();
  await warning('dialog[open]').waitFor();
});
