/** Every screen of a line with nobody, and of one with one member and one of everything. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { MadeChange } from '../../../contract/operator/changes.ts';
import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { EndpointWithSecret } from '../../../contract/operator/webhooks/webhooks.ts';
import { expectAccessibleConsole } from '../../support/accessible-console.ts';
import { openTestBrowser } from '../../support/browser.ts';
import { openConsoleServer } from '../../support/console-server.ts';
import { follow } from '../../support/console-visit.ts';
import { STRICT_SITE } from '../../support/server-process.ts';

const browser = openTestBrowser();
const server = openConsoleServer(browser, { SITE_DIR: STRICT_SITE });
const SCREENS = [
  '/overview',
  '/members',
  '/stock',
  '/drop',
  '/offers',
  '/rewards',
  '/activity',
  '/campaigns',
  '/webhooks',
  '/import',
  '/settings',
];
/** Broken text that no screen may show: a division by zero, a missing value, a wrong plural. */
const WRONG =
  /NaN|Infinity|undefined|\bnull\b|\[object|\b1 [a-z]+s\b(?<!has|is|was|(leav|los|mov)es|gets| ms)/;

async function expectSound(page: Page, paths: readonly string[]): Promise<void> {
  await page.goto('/console/nothing');
  await page.getByText('The console has no such screen').waitFor();
  for (const path of paths) {
    await follow(page, path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.locator('[aria-busy=true], .skeleton').count()).toBe(0);
    // A pressed one is named otherwise.
    const tables = page.getByRole('button', { name: /as a table|numbers/i });
    await tables.evaluateAll((all) => {
      for (const one of all) (one as HTMLElement).click();
    });
    await expect.poll(() => tables.count()).toBe(0);
    await expect.poll(() => page.locator('body').innerText(), { message: path }).not.toMatch(WRONG);
    if (path === '/overview') await expectAccessibleConsole(page);
  }
}

test('no screen shows broken text for nobody, and for one of everything', async () => {
  const { page } = await server.visit();
  await expectSound(page, SCREENS);

  const ada = await server.joinLine('ada');
  const make = (kind: string, input: object) =>
    server.call<MadeChange>(operatorPaths.changes, { kind, input, reason: 'a test of one' });
  await make('adjust-points', { member_id: ada.id, by: 1 });
  await make('allocate-masks', { size: 'Large', quantity: 1, note: 'the shoot' });
  const grace = await server.joinLine('grace', ada.referral_code);
  await make('remove-members', { member_ids: [grace.id] });
  const { campaign, revision } = await server.call<Campaign>(operatorPaths.campaigns, {
    subject: 'Soon',
    body: 'Soon.',
    filter: {},
  });
  await make('send-campaign', { campaign, revision });
  const { id } = await server.call<EndpointWithSecret>(operatorPaths.webhooks, {
    url: 'https://hooks.invalid/',
    events: ['member.joined'],
    reason: 'a test of one',
  });
  await server.call(operatorPaths.testWebhook.replace(':endpointId', id), {});
  const opened = [
    `/members?open=${ada.id}`,
    `/campaigns?open=${campaign}`,
    `/webhooks?open=${id}`,
    '/activity?open=1',
  ];
  await expectSound(page, [...SCREENS, ...opened]);
});
